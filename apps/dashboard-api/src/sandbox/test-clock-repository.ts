import type { TestClockWait } from '@pay/contracts';
import { command, firstRow, inTransaction, mapped, type Transaction } from '@pay/persistence';

export interface ClockStep {
  readonly id: string;
  readonly milliseconds: number;
}

export interface StoredClock {
  readonly merchantId: string;
  readonly advancedMs: number;
  readonly requestId: string | null;
  /** Duration or time of the request; null if a previous version began the advance. */
  readonly requested: string | null;
  /** Remaining time of the advance. */
  readonly leftMs: number;
  readonly step: ClockStep | undefined;
  readonly waitsFor: TestClockWait | null;
}

interface ClockRow extends Omit<StoredClock, 'advancedMs' | 'leftMs' | 'step'> {
  readonly advancedMs: string;
  readonly leftMs: string;
  readonly stepId: string | null;
  readonly stepMs: string | null;
}

const COLUMNS = `merchant_id as "merchantId", advanced_ms as "advancedMs", request_id as "requestId", requested,
  left_ms as "leftMs", step_id as "stepId", step_ms as "stepMs", waits_for as "waitsFor"`;

function toClock({ stepId, stepMs, ...row }: ClockRow): StoredClock {
  return {
    ...row,
    advancedMs: Number(row.advancedMs),
    leftMs: Number(row.leftMs),
    step: stepId === null ? undefined : { id: stepId, milliseconds: Number(stepMs) },
  };
}

export const findClock = mapped(toClock).firstRow<[merchantId: string]>(
  'find-test-clock',
  `select ${COLUMNS} from test_clocks where merchant_id = $1`,
);

const create = command<[merchantId: string]>(
  'create-test-clock',
  'insert into test_clocks (merchant_id) values ($1) on conflict (merchant_id) do nothing',
);
const lock = inTransaction.firstRow<ClockRow, [merchantId: string]>(
  'lock-test-clock',
  `select ${COLUMNS} from test_clocks where merchant_id = $1 for update`,
);

/** Creates the clock if there is none. */
export async function lockClock(tx: Transaction, merchantId: string): Promise<StoredClock> {
  await create(tx, merchantId);
  const row = await lock(tx, merchantId);
  if (row === undefined) throw new Error('invariant: a created clock exists');
  return toClock(row);
}

export const beginAdvance = inTransaction.command(
  'begin-advance',
  `update test_clocks set request_id = $2, requested = $3, left_ms = $4, waits_for = null, played_at = now() where merchant_id = $1`,
  (merchantId: string, requestId: string, requested: string, milliseconds: number) => [
    merchantId,
    requestId,
    requested,
    milliseconds,
  ],
);

export const resetClockRow = inTransaction.command<[merchantId: string]>(
  'reset-test-clock',
  `update test_clocks set advanced_ms = 0, request_id = null, requested = null, left_ms = 0, step_id = null, step_ms = null, waits_for = null where merchant_id = $1`,
);

/** Has no effect if another process has begun the step. */
export const beginClockStep = command(
  'begin-clock-step',
  `update test_clocks set step_id = $2, step_ms = least($3, left_ms), played_at = now()
   where merchant_id = $1 and step_id is null and left_ms > 0`,
  (merchantId: string, { id, milliseconds }: ClockStep) => [merchantId, id, milliseconds],
);

/** Has no effect if the step has ended or the clock was reset. */
export const finishClockStep = command<[merchantId: string, stepId: string]>(
  'finish-clock-step',
  `update test_clocks set advanced_ms = advanced_ms + step_ms, left_ms = left_ms - step_ms, step_id = null, step_ms = null, waits_for = null
   where merchant_id = $1 and step_id = $2`,
);

/** Also stores the current time, so that other processes see that the advance is being played. */
export const noteClockWait = command<[merchantId: string, waitsFor: TestClockWait]>(
  'note-clock-wait',
  'update test_clocks set waits_for = $2, played_at = now() where merchant_id = $1 and left_ms > 0',
);

/** The merchant of an advance that no process has played recently. */
export const takeClockLeftAlone = firstRow<Pick<StoredClock, 'merchantId'>, [afterMs: number]>(
  'take-clock-left-alone',
  `update test_clocks set played_at = now()
   where merchant_id = (
     select merchant_id from test_clocks where left_ms > 0 and played_at < now() - $1 * interval '1 millisecond'
     order by played_at limit 1 for update skip locked)
   returning merchant_id as "merchantId"`,
);
