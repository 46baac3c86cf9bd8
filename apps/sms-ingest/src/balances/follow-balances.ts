import type { Directory } from '@pay/directory';
import { draft, type Messaging } from '@pay/messaging';
import { FIRST_ID, isConnectionLoss, isLockTimeout, retryOnConflict, type Transaction } from '@pay/persistence';
import { holdChain, type BalanceChain } from './balance-chain-repository';
import { balanceChainId } from './balance-chain-id';
import { changeBalanceSignals, type BreakDetail } from './balance-signal-repository';
import {
  nextChain,
  storeExamined,
  stretchAround,
  unexaminedOf,
  type Examined,
  type StoredText,
  type Unexamined,
} from './balance-text-repository';
import { checkAround, type CheckedStretch } from './check-around';
import { changeGaps, closeGaps, knownGaps, suspectGaps } from './missing-sms-repository';
import type { BalanceMetrics } from './balance-metrics';
import { gapChanges } from '../domain/gap-changes';
import type { ServiceDeps } from '../service-deps';

export interface FollowBalancesDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now' | 'newId'> {
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly metrics: BalanceMetrics;
  /** Maximum number of texts examined per transaction. */
  readonly page?: number;
}

const PAGE = 200;

/**
 * Adds unexamined texts to their wallets' balance chains and records gaps and breaks; throws the first error of a chain
 * after all others. Processes take different chains by lock; an unexamined text is its own work item, so a process that
 * dies loses nothing.
 */
export async function followBalances(deps: FollowBalancesDeps, signal: AbortSignal): Promise<void> {
  const locked: string[] = [];
  const failures: unknown[] = [];
  const follow = async (chainId: string, whileLocked: 'wait' | 'skip') => {
    try {
      const nextPage = () => retryOnConflict(deps.db, (tx) => followPage(deps, tx, chainId, whileLocked));
      let rest = await nextPage();
      while (rest === 'more' && whileLocked === 'skip' && !signal.aborted) rest = await nextPage();
      if (rest === 'locked') locked.push(chainId);
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      if (isLockTimeout(error) && whileLocked === 'skip') return void locked.push(chainId);
      if (!isLockTimeout(error)) deps.log.error({ chainId, err: error }, 'balances.not_followed');
      failures.push(error);
    }
  };
  for (let id = await nextChain(deps.db, FIRST_ID); id !== undefined && !signal.aborted;) {
    await follow(id, 'skip');
    id = await nextChain(deps.db, id);
  }
  // The process that holds a chain may fail at it: a run succeeds only if it has followed a page of each such chain.
  for (const id of [...locked]) if (!signal.aborted) await follow(id, 'wait');
  if (failures.length > 0) throw failures[0];
}

/** What a page leaves of the work of a chain. */
type Rest = 'none' | 'more' | 'locked';

async function followPage(
  deps: FollowBalancesDeps,
  tx: Transaction,
  chainId: string,
  whileLocked: 'wait' | 'skip',
): Promise<Rest> {
  const { page = PAGE } = deps;
  const chain = await holdChain(tx, chainId, whileLocked);
  if (chain === undefined) return 'locked';
  const unexamined = await unexaminedOf(tx, chainId, page);
  if (unexamined.length === 0) return 'none';
  const around = await checkAround((at) => stretchAround(tx, chainId, at), unexamined);
  await noteGaps(deps, tx, chain, around, unexamined);
  const examined = await noteDoubts(deps, tx, chain, around);
  // The doubt remains with its published signal until the text can be checked.
  storeExamined(tx, [...examined, ...around.left.map((text) => ({ ...text, continuity: 'UNJUDGED' }) as const)]);
  return unexamined.length < page ? 'none' : 'more';
}

async function noteGaps(
  { directory, metrics, now, newId }: FollowBalancesDeps,
  tx: Transaction,
  chain: BalanceChain,
  { checked, uncovered }: CheckedStretch,
  unexamined: readonly Unexamined[],
): Promise<void> {
  const known = await knownGaps(
    tx,
    [...checked, ...unexamined].map(({ id }) => id),
  );
  const covered = known.filter(({ smsEventId }) => !uncovered.some(({ id }) => id === smsEventId));
  const { closed, changed, found } = gapChanges(covered, checked);
  closeGaps(
    tx,
    closed.map(({ id }) => id),
    now(),
  );
  changeGaps(tx, changed);
  if (found.length > 0) {
    const accounts = await directory.receiverAccounts(chain);
    const receiverAccountIds = accounts.filter((each) => balanceChainId(each) === chain.id).map(({ id }) => id);
    const gaps = found.map((each) => ({ ...each, id: newId() }));
    suspectGaps(tx, gaps, chain, receiverAccountIds, now());
  }
  tx.onCommit(() => {
    const { environment } = chain;
    for (const { isOpen, amount } of closed)
      if (isOpen) metrics.explained.inc({ environment, direction: amount > 0n ? 'IN' : 'OUT' });
  });
}

/** Publishes changes of the signal `balance_break`. Returns the changed texts. */
async function noteDoubts(
  { directory, messaging, metrics, now }: FollowBalancesDeps,
  tx: Transaction,
  chain: BalanceChain,
  { checked, stored }: CheckedStretch,
): Promise<Examined[]> {
  const merchant = await directory.merchant(chain.merchantId);
  const reviews = merchant?.evidenceRules?.reviewBalanceBreaks === true;
  const states = checked.flatMap((each) => {
    const text = stored.get(each.id);
    if (text === undefined) return [];
    // The rule of a merchant applies to texts from its activation on, not to earlier ones.
    const isAsked = reviews && (text.continuity === null || text.isDoubted);
    const staysDoubted = reviews && text.isDoubted && each.leadsToGap;
    const isDoubted = each.continuity === 'BREAK' || (isAsked && each.isCloseToGap) || staysDoubted;
    return [{ id: each.id, continuity: each.continuity, isDoubted, was: text }];
  });

  const changes = states.flatMap(({ id, was, ...state }) => {
    const detail = detailOf(state);
    return detail === detailOf(was) ? [] : [{ id, detail }];
  });
  const occurredAt = now();
  const announced = (await changeBalanceSignals(tx, changes, occurredAt)).map(({ smsEventId, signals, sequence }) =>
    draft('sms.signals_changed', {
      environment: chain.environment,
      merchantId: chain.merchantId,
      aggregateId: smsEventId,
      sequence,
      occurredAt,
      data: { smsEventId, signals },
    }),
  );
  if (announced.length > 0) await messaging.publish(tx, announced);
  const breaks = states.filter(({ continuity, was }) => continuity === 'BREAK' && was.continuity !== 'BREAK').length;
  tx.onCommit(() => metrics.breaks.inc(breaks));
  return states.filter(
    ({ continuity, isDoubted, was }) => continuity !== was.continuity || isDoubted !== was.isDoubted,
  );
}

function detailOf({ continuity, isDoubted }: Pick<StoredText, 'continuity' | 'isDoubted'>): BreakDetail | null {
  if (!isDoubted) return null;
  return continuity === 'BREAK' ? 'passed_over' : 'does_not_follow';
}
