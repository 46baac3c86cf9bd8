import { setTimeout as delay } from 'node:timers/promises';
import { type IntentStatus, type SequencePair, type Tenant, BusinessError } from '@pay/contracts';
import { isConnectionLoss, mayPartSucceed, retryOnConflict, type Database } from '@pay/persistence';
import type { AskUndecided } from './undecided-client';
import {
  claimDueIntent,
  claimDueIntents,
  expiryCutoff,
  findMisdirected,
  isMisdirected,
  type DueIntents,
} from './due-intent-repository';
import type { ExpiryArrival } from '../domain/arrivals';
import { findIntent } from '../matching/intent-repository';
import { sameTenant } from '../domain/facts';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';
import { NEWEST, refreshIntent, type RefreshIntentDeps } from '../intake/refresh-intent';

export interface ExpireIntentsDeps extends DecideDeps, RefreshIntentDeps {
  readonly db: Database;
  readonly askUndecided: AskUndecided;
  /**
   * Grace period between the end of an intent and its expiry, in which the owners commit items that arrived at the last
   * moment.
   */
  readonly expiryGraceMs: number;
  readonly expiryBatch: number;
  /** Rate limit of expiries per process, so that payments do not queue behind them in the consuming services. */
  readonly expiriesPerSecond: number;
}

/** Expires every intent past its end as soon as no earlier item is undecided. Any number of processes may run it. */
export async function expireIntents(deps: ExpireIntentsDeps, signal: AbortSignal): Promise<void> {
  const { db, metrics, expiryBatch } = deps;
  // The cutoff is read first, so that undecided items are requested after the last of these intents has ended.
  const { cutoff, lagSeconds } = await expiryCutoff(db, deps.expiryGraceMs);
  metrics.expiryLag.set(lagSeconds ?? 0);
  if (lagSeconds === undefined) return;
  const undecided = await deps.askUndecided((owner) => metrics.expiryWaits.inc({ cause: owner }));
  if (undecided === undefined) return;
  if (undecided.some(({ oldest }) => new Date(oldest) <= cutoff)) metrics.expiryWaits.inc({ cause: 'undecided' });
  const due = { cutoff, undecided, held: new Set<string>() };
  let claimed = expiryBatch;
  while (claimed >= expiryBatch && !signal.aborted) {
    const begun = performance.now();
    const refreshed = await refreshMisdirected(deps, due);
    claimed = await expireBatch(deps, due, refreshed, expiryBatch);
    if (claimed >= expiryBatch) await untilNextBatch(deps, begun, signal);
  }
}

async function untilNextBatch(deps: ExpireIntentsDeps, begun: number, signal: AbortSignal): Promise<void> {
  const wait = begun + (1000 * deps.expiryBatch) / deps.expiriesPerSecond - performance.now();
  if (wait > 0) await delay(wait, undefined, { signal }).catch(() => undefined);
}

/** Failures in a row after which intent-api counts as down. */
const MOST_FAILURES = 3;

interface Round extends DueIntents {
  readonly held: Set<string>;
}

/**
 * Decides money of another method or receiver again with the customer's latest choice, whose event may not have
 * arrived. Returns the intents whose choice is known; the others are held.
 */
async function refreshMisdirected(deps: ExpireIntentsDeps, due: Round): Promise<ReadonlySet<string>> {
  const refreshed = new Set<string>();
  let failures = 0;
  let isWaiting = false;
  for (const { tenant, intentId } of await findMisdirected(deps.db, due, deps.expiryBatch)) {
    if (failures === MOST_FAILURES) {
      due.held.add(intentId);
      continue;
    }
    try {
      await readLatestChoice(deps, tenant, intentId);
      refreshed.add(intentId);
      failures = 0;
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      due.held.add(intentId);
      if (error instanceof BusinessError) {
        failures += 1;
        isWaiting = true;
      } else {
        deps.log.error({ ...tenant, intentId, err: error }, 'expiry.failed');
      }
    }
  }
  if (isWaiting) deps.metrics.expiryWaits.inc({ cause: 'intent-api' });
  return refreshed;
}

async function readLatestChoice(deps: ExpireIntentsDeps, tenant: Tenant, intentId: string): Promise<void> {
  try {
    await decideRefreshed(deps, tenant, intentId, NEWEST);
  } catch (error) {
    // intent-api has deleted the intent, so no choice can arrive.
    if (!(error instanceof BusinessError && error.code === 'NOT_FOUND')) throw error;
  }
}

async function decideRefreshed(
  deps: ExpireIntentsDeps,
  tenant: Tenant,
  intentId: string,
  wanted: SequencePair,
): Promise<void> {
  const fetched = await refreshIntent(deps, tenant, intentId, wanted);
  if (fetched.length > 0) await retryOnConflict(deps.db, (tx) => decideBatch(deps, tx, fetched));
}

/**
 * Expires the next intents in one transaction and returns their number. If it fails, the batch is halved, and an intent
 * that fails alone is held, so that it does not stop the others.
 */
async function expireBatch(
  deps: ExpireIntentsDeps,
  due: Round,
  refreshed: ReadonlySet<string>,
  limit: number,
): Promise<number> {
  let arrivals: ExpiryArrival[] = [];
  try {
    await retryOnConflict(deps.db, async (tx) => {
      arrivals = await claimDueIntents(tx, due, refreshed, limit);
      if (arrivals.length > 0) await decideBatch(deps, tx, arrivals);
    });
    return arrivals.length;
  } catch (error) {
    const [first] = arrivals;
    if (first === undefined || !mayPartSucceed(error)) throw error;
    if (arrivals.length > 1) {
      const half = Math.ceil(arrivals.length / 2);
      return (await expireBatch(deps, due, refreshed, half)) + (await expireBatch(deps, due, refreshed, half));
    }
    due.held.add(first.intentId);
    deps.log.error({ ...first.tenant, intentId: first.intentId, err: error }, 'expiry.failed');
    return 1;
  }
}

/** Expires one intent on request by the same rules. Returns the resulting status. */
export async function expireIntent(
  deps: ExpireIntentsDeps,
  tenant: Tenant,
  intentId: string,
  wanted: SequencePair,
): Promise<IntentStatus> {
  const { db } = deps;
  await decideRefreshed(deps, tenant, intentId, wanted);
  const { cutoff } = await expiryCutoff(db, deps.expiryGraceMs);
  const intent = await findIntent(db, intentId);
  if (intent === undefined || !sameTenant(intent.tenant, tenant)) throw new BusinessError('SERVICE_UNAVAILABLE');
  if (intent.status !== 'PENDING' || intent.expiresAt > cutoff) return intent.status;
  const undecided = await deps.askUndecided();
  if (undecided === undefined) return intent.status;
  const refreshed = new Set<string>();
  if (await isMisdirected(db, intentId)) {
    await readLatestChoice(deps, tenant, intentId);
    refreshed.add(intentId);
  }
  return retryOnConflict(db, async (tx) => {
    const arrivals = await claimDueIntent(tx, { cutoff, undecided, held: new Set() }, refreshed, intentId);
    if (arrivals.length > 0) await decideBatch(deps, tx, arrivals);
    const settled = await findIntent(tx, intentId);
    return settled?.status ?? intent.status;
  });
}
