import { setTimeout as delay } from 'node:timers/promises';
import type { TestExpectation, TestResult } from '@pay/contracts';
import { isConnectionLoss } from '@pay/persistence';
import type { Worker } from '@pay/runtime';
import { endRun, findLeasedRun, leaseRuns, renewLeases, storeProgress, type TestRunRow } from './test-run-repository';
import { CasePlayer } from './case-player';
import type { PlayerDeps, SandboxConfiguration } from './player-deps';
import { CaseSkipped } from './case-steps';
import type { TestCaseDefinition } from './test-case';
import { TEST_CASES } from './test-cases';
import type { ServiceDeps } from '../../service-deps';

export interface PlayRunsDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly player: PlayerDeps;
  readonly configurationOf: (merchantId: string) => Promise<SandboxConfiguration>;
  readonly owner: string;
  /** Default: all cases. For tests. */
  readonly cases?: Readonly<Record<string, TestCaseDefinition>>;
}

/** Maximum number of runs that a process plays concurrently. */
const MOST_AT_ONCE = 48;
/**
 * Maximum number per merchant. SMS of one simulated wallet are stored sequentially, so more runs would exceed the
 * timeouts of internal requests.
 */
const MOST_OF_MERCHANT = 12;
const LEASE_SECONDS = 30;
const RENEW_MS = 8_000;
const POLL_MS = 1_000;
/** A run whose process died is restarted with new intents. After a second interruption its result is ERROR. */
const MOST_PLAYS = 2;

export interface RunPlayer {
  poke(): void;
  worker(): Worker;
}

/** Another process has leased the run, so this one must not write its results. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** A process that stops releases its runs, and another one restarts them. */
export function runPlayer(deps: PlayRunsDeps): RunPlayer {
  const { db, owner, log } = deps;
  const playing = new Map<string, Promise<void>>();
  let wake = new AbortController();

  async function leaseMore(): Promise<void> {
    const most = MOST_AT_ONCE - playing.size;
    if (most <= 0) return;
    for (const id of await leaseRuns(db, { owner, most, mostOfMerchant: MOST_OF_MERCHANT, seconds: LEASE_SECONDS })) {
      const played = playRun(deps, id)
        .catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) log.error({ testRunId: id, err: error }, 'test_run.failed');
        })
        .finally(() => {
          playing.delete(id);
          wake.abort();
        });
      playing.set(id, played);
    }
  }

  return {
    poke: () => wake.abort(),
    worker: () => ({
      name: 'test runs',
      async run(signal) {
        let renewAt = performance.now() + RENEW_MS;
        while (!signal.aborted) {
          wake = new AbortController();
          try {
            await leaseMore();
            if (performance.now() >= renewAt) {
              renewAt = performance.now() + RENEW_MS;
              if (playing.size > 0) await renewLeases(db, owner, [...playing.keys()], LEASE_SECONDS);
            }
          } catch (error) {
            if (!isConnectionLoss(error)) log.error({ task: 'test runs', err: error }, 'task.failed');
          }
          await delay(POLL_MS, undefined, { signal: AbortSignal.any([signal, wake.signal]) }).catch(() => undefined);
        }
      },
    }),
  };
}

export async function playRun(deps: PlayRunsDeps, id: string): Promise<void> {
  const { db, owner, log } = deps;
  const row = await findLeasedRun(db, id);
  if (row === undefined) return;
  const player = new CasePlayer(deps.player, await inputOf(deps, row), async (progress) => {
    if ((await storeProgress(db, id, owner, progress)) === 0) throw new LeaseLost();
  });
  await provideEndpoint(deps, row.merchantId);
  const { result, reason } = await resultOf(deps, row, player);
  await collectWebhooks(player);
  if ((await endRun(db, id, owner, { ...player.progress(), result, reason })) === 0) throw new LeaseLost();
  const { merchantId, testCase } = row;
  log.info({ testRunId: id, merchantId, testCase, result }, 'test_run.ended');
}

/** Registers the hosted endpoint for a merchant without an endpoint. If that fails, webhooks are not expected. */
async function provideEndpoint({ player, log }: PlayRunsDeps, merchantId: string): Promise<void> {
  try {
    const endpoints = await player.endpointsOf(merchantId);
    if (!endpoints.some(({ isActive }) => isActive)) await player.testEndpointOf(merchantId);
  } catch (error) {
    log.warn({ merchantId, err: error }, 'test_endpoint.not_provided');
  }
}

async function inputOf({ configurationOf }: PlayRunsDeps, row: TestRunRow) {
  const { id, merchantId, testCase, startedBy, successUrl } = row;
  return { id, merchantId, testCase, startedBy, successUrl, configuration: await configurationOf(merchantId) };
}

interface Result {
  readonly result: TestResult;
  readonly reason: string | null;
}

async function resultOf(
  { cases = TEST_CASES, log }: Pick<PlayRunsDeps, 'cases' | 'log'>,
  { id, testCase, plays }: TestRunRow,
  player: CasePlayer,
): Promise<Result> {
  if (plays > MOST_PLAYS) return { result: 'ERROR', reason: 'The run was interrupted several times.' };
  const definition = cases[testCase];
  if (definition === undefined) return { result: 'ERROR', reason: 'This version has no such test case.' };
  try {
    await definition.play(player);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (error instanceof CaseSkipped) return { result: 'SKIPPED', reason: error.message };
    log.warn({ testRunId: id, testCase, err: error }, 'test_run.not_completed');
    return { result: 'ERROR', reason: error instanceof Error ? error.message.slice(0, 500) : 'Unknown error.' };
  }
  return { result: worstOf(player.progress().expectations), reason: null };
}

/** A run without any met expectation proves nothing. */
export function worstOf(expectations: readonly Pick<TestExpectation, 'result'>[]): TestResult {
  const has = (result: TestExpectation['result']) => expectations.some((one) => one.result === result);
  return has('FAILED') ? 'FAILED' : has('PASSED') ? 'PASSED' : 'SKIPPED';
}

/** The data of services that do not respond is missing. */
async function collectWebhooks(player: CasePlayer): Promise<void> {
  await player.collectWebhooks().catch(() => undefined);
}
