import type { Directory, Standing } from '@pay/directory';
import { retryOnConflict, type Database, type Transaction } from '@pay/persistence';
import {
  advanceSwitchOff,
  claimSwitchOff,
  findPending,
  finishSwitchOff,
  putOffSwitchOff,
  type PendingIntent,
  type SwitchOff,
} from './db/switch-offs';
import type { UnpayableArrival } from './domain/arrivals';
import { whyUnpayable, type Ways } from './domain/unpayable';
import { judgeBatch, openBatch, type JudgeDeps } from './judge-batch';

export interface FailUnpayableDeps extends JudgeDeps {
  readonly db: Database;
  readonly directory: JudgeDeps['directory'] & Pick<Directory, 'standingOf'>;
  /** Most intents looked at in one transaction. */
  readonly switchOffPage?: number;
}

const PAGE = 500;
const PUT_OFF_MS = 10_000;

/**
 * Fails the pending intents that can no longer be paid after a switch-off, page by page, each in a transaction of its own with the note of
 * how far it got. Any number of processes may; whoever takes over goes on where the last page ended.
 */
export async function failUnpayable(deps: FailUnpayableDeps, signal: AbortSignal): Promise<void> {
  let found = true;
  while (found && !signal.aborted) found = await failPage(deps);
}

async function failPage(deps: FailUnpayableDeps): Promise<boolean> {
  const { db } = deps;
  let claimed: SwitchOff | undefined;
  try {
    return await retryOnConflict(db, async (tx) => {
      claimed = await claimSwitchOff(tx);
      if (claimed !== undefined) await workOn(deps, tx, claimed);
      return claimed !== undefined;
    });
  } catch (error) {
    // Whatever is wrong with this one, the others do not wait behind it.
    if (claimed !== undefined) await putOffSwitchOff(db, claimed.id, PUT_OFF_MS);
    throw error;
  }
}

async function workOn(deps: FailUnpayableDeps, tx: Transaction, switchOff: SwitchOff): Promise<void> {
  const { directory, switchOffPage = PAGE } = deps;
  const { id, tenant, intentId } = switchOff;
  const [page, standing] = await Promise.all([
    findPending(tx, switchOff, switchOffPage),
    directory.standingOf(tx, tenant),
  ]);
  if (standing === undefined) {
    await putOffSwitchOff(tx, id, PUT_OFF_MS);
    return;
  }
  const suspects = arrivalsOf(switchOff, page, standing);
  if (suspects.length > 0) {
    const opened = await openBatch(deps, tx, suspects);
    // Again, by what holds now that nobody else can decide about them: what was switched on again, or chosen otherwise, stays.
    const held = suspects.flatMap((suspect) => opened.docket.intents.get(suspect.intentId) ?? []);
    const current = await directory.standingOf(tx, tenant);
    await judgeBatch(deps, tx, current === undefined ? [] : arrivalsOf(switchOff, held, current), opened);
  }
  const last = page.at(-1);
  if (intentId === undefined && last !== undefined && page.length === switchOffPage) advanceSwitchOff(tx, id, last.id);
  else finishSwitchOff(tx, id);
}

function arrivalsOf({ tenant }: SwitchOff, intents: readonly PendingIntent[], standing: Standing): UnpayableArrival[] {
  const ways = waysOf(standing);
  return intents.flatMap((intent) => {
    const reason = whyUnpayable(intent, ways);
    if (reason === undefined) return [];
    return [{ kind: 'unpayable', tenant, intentId: intent.id, referenceKey: intent.referenceKey, reason }];
  });
}

function waysOf({ merchant, receiverAccounts }: Standing): Ways {
  const active = receiverAccounts.filter(({ isActive, deleted }) => isActive && !deleted);
  const activeReceivers = new Map(active.map(({ id, paymentMethod }) => [id, paymentMethod]));
  const known = new Set(receiverAccounts.map(({ id }) => id));
  return {
    merchantIsActive: merchant !== undefined && merchant.isActive && !merchant.deleted,
    enabledMethods: new Set(merchant?.enabledMethods),
    activeReceivers,
    isClosed: (id) => known.has(id) && !activeReceivers.has(id),
  };
}
