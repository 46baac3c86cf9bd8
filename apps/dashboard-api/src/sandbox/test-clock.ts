import {
  advanceBySecondsSchema,
  advanceToTimeSchema,
  MAX_ADVANCE_SECONDS,
  type TestClock,
  BusinessError,
  REFUSAL_DETAILS,
  REQUEST_ID_REUSED,
} from '@pay/contracts';
import { recordAction } from '../changes/record-action';
import { playTestClock, type PlayTestClockDeps } from './play-test-clock';
import { assertSandbox, checked } from './read-simulation';
import { beginAdvance, findClock, lockClock, resetClockRow, type StoredClock } from './test-clock-repository';

export interface TestClockDeps extends PlayTestClockDeps {
  readonly now: () => Date;
}

/** `actor` has the format `user:<id>` or `api_key:<id>`. */
export interface ClockUser {
  readonly merchantId: string;
  readonly actor: string;
}

/** Maximum wait of a response for the end of an advance. */
const LONGEST_WAIT_MS = 10_000;

export async function getTestClock(deps: TestClockDeps, merchantId: string): Promise<TestClock> {
  return shown(deps, await findClock(deps.db, merchantId));
}

/** A repeated request id continues the advance instead of starting another one. */
export async function advanceTestClock(
  deps: TestClockDeps,
  { merchantId, actor }: ClockUser,
  body: Readonly<Record<string, unknown>>,
): Promise<TestClock> {
  const advance = readAdvance(body);
  const { requested, requestId = deps.newId() } = advance;
  await deps.db.transaction(async (tx) => {
    const clock = await lockClock(tx, merchantId);
    if (clock.requestId === requestId) {
      if (clock.requested === null || clock.requested === requested) return;
      throw new BusinessError('IDEMPOTENCY_KEY_REUSED', REQUEST_ID_REUSED);
    }
    const milliseconds = millisecondsOf(advance, deps.now());
    if (clock.leftMs > 0) throw new BusinessError('TEST_CLOCK_ADVANCING');
    await beginAdvance(tx, merchantId, requestId, requested, milliseconds);
    await recordAction({ ...deps, actor }, tx, {
      action: 'test_clock.advanced',
      subjectKind: 'merchant',
      subjectId: merchantId,
      merchantId,
      environment: 'SANDBOX',
      after: { milliseconds, requestId },
    });
  });
  await playTestClock(deps, merchantId, LONGEST_WAIT_MS);
  return getTestClock(deps, merchantId);
}

/** Keeps the effects of the steps that were already played. */
export async function resetTestClock(deps: TestClockDeps, { merchantId, actor }: ClockUser): Promise<TestClock> {
  await deps.db.transaction(async (tx) => {
    const { advancedMs, leftMs } = await lockClock(tx, merchantId);
    await resetClockRow(tx, merchantId);
    await recordAction({ ...deps, actor }, tx, {
      action: 'test_clock.reset',
      subjectKind: 'merchant',
      subjectId: merchantId,
      merchantId,
      environment: 'SANDBOX',
      before: { advancedMs, leftMs },
    });
  });
  return getTestClock(deps, merchantId);
}

interface Advance {
  readonly by: { readonly milliseconds: number } | { readonly to: Date };
  /** Duration or time of the request, to recognise a repeated request id with other input. Example: "seconds=60". */
  readonly requested: string;
  readonly requestId: string | undefined;
}

function readAdvance(body: Readonly<Record<string, unknown>>): Advance {
  if ((body['to'] ?? undefined) === undefined) {
    const { environment, seconds, requestId } = checked(advanceBySecondsSchema, body);
    assertSandbox(environment);
    const by = { milliseconds: seconds * 1_000 };
    return { by, requested: `seconds=${seconds}`, requestId: requestId ?? undefined };
  }
  const { environment, to, requestId } = checked(advanceToTimeSchema, body);
  assertSandbox(environment);
  const time = new Date(to);
  return { by: { to: time }, requested: `to=${time.toISOString()}`, requestId: requestId ?? undefined };
}

function millisecondsOf({ by }: Advance, now: Date): number {
  if ('milliseconds' in by) return by.milliseconds;
  const milliseconds = by.to.getTime() - now.getTime();
  if (milliseconds <= 0) throw new BusinessError('TIME_OUT_OF_RANGE', REFUSAL_DETAILS.clockMovesForward);
  if (milliseconds > MAX_ADVANCE_SECONDS * 1_000)
    throw new BusinessError('TIME_OUT_OF_RANGE', REFUSAL_DETAILS.clockTooFar);
  return milliseconds;
}

function shown({ now }: TestClockDeps, clock: StoredClock | undefined): TestClock {
  const { advancedMs = 0, leftMs = 0, requestId = null, waitsFor } = clock ?? {};
  const isAdvancing = leftMs > 0;
  return {
    environment: 'SANDBOX',
    status: isAdvancing ? 'advancing' : 'ready',
    now: now().toISOString(),
    advancedSeconds: advancedMs / 1_000,
    requestId,
    pending: isAdvancing ? { secondsLeft: leftMs / 1_000, waitsFor: waitsFor ?? 'intake' } : null,
  };
}
