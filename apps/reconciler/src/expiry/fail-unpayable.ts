import type { MerchantFact, ReceiverAccountFact, TenantFacts } from '@pay/contracts';
import type { Directory, TenantCopy } from '@pay/directory';
import { retryOnConflict, type Database, type Transaction } from '@pay/persistence';
import type { AskTenantFacts } from './tenant-facts-client';
import {
  advanceSwitchOff,
  claimSwitchOff,
  findPending,
  finishSwitchOff,
  holdSwitchOff,
  insertSwitchOffs,
  type PendingIntent,
  type SwitchOff,
} from './switch-off-repository';
import type { UnpayableArrival } from '../domain/arrivals';
import { whyUnpayable, type Ways } from '../domain/unpayable';
import { decideBatch, openBatch, type DecideDeps } from '../matching/decide-batch';
import { inHalves } from './in-halves';
import { SECOND_LOOK_MS } from './note-switch-offs';

export interface FailUnpayableDeps extends DecideDeps {
  readonly db: Database;
  readonly directory: DecideDeps['directory'] & Pick<Directory, 'tenantCopy'>;
  readonly askTenantFacts: AskTenantFacts;
  /** Maximum number of intents per transaction. */
  readonly switchOffPage?: number;
}

const PAGE = 500;
const LEASE_MS = 10_000;

/**
 * Fails the pending intents that can no longer be paid after a switch-off, page by page. A page is leased, so any
 * number of processes can work, and a later round continues where the last committed page ended.
 */
export async function failUnpayable(deps: FailUnpayableDeps, signal: AbortSignal): Promise<void> {
  let found = true;
  while (found && !signal.aborted) found = await failPage(deps);
}

async function failPage(deps: FailUnpayableDeps): Promise<boolean> {
  const { db, directory, askTenantFacts, switchOffPage = PAGE } = deps;
  const switchOff = await claimSwitchOff(db, LEASE_MS);
  if (switchOff === undefined) return false;
  const { tenant } = switchOff;
  const [page, copied] = await Promise.all([
    findPending(db, switchOff, switchOffPage),
    directory.tenantCopy(db, tenant),
  ]);
  if (copied === undefined) return true;
  const suspects = arrivalsOf(switchOff, page, copied);
  // Requested after the page was read, so that the response is newer than each of these intents, however outdated the
  // copy is.
  const owned = suspects.length === 0 ? undefined : await askTenantFacts(tenant);
  if (suspects.length > 0 && owned === undefined) return true;
  const isLast = switchOff.intentId !== undefined || page.length < switchOffPage;
  const doneTo = isLast ? undefined : page.at(-1)?.id;
  const left = owned === undefined ? [] : await failSuspects(deps, { switchOff, suspects, owned });
  if (switchOff.intentId !== undefined && left.length > 0) return true;
  await retryOnConflict(db, async (tx) => {
    if (!(await holdSwitchOff(tx, switchOff))) return;
    insertSwitchOffs(tx, left, SECOND_LOOK_MS);
    if (doneTo === undefined) finishSwitchOff(tx, switchOff.id);
    else advanceSwitchOff(tx, switchOff.id, doneTo);
  });
  return true;
}

interface Suspicion {
  readonly switchOff: SwitchOff;
  readonly suspects: readonly UnpayableArrival[];
  readonly owned: TenantFacts;
}

/** Returns those that could not be failed. */
async function failSuspects(
  deps: FailUnpayableDeps,
  { suspects, ...suspicion }: Suspicion,
): Promise<UnpayableArrival[]> {
  const left: UnpayableArrival[] = [];
  await inHalves(
    suspects,
    (part) => retryOnConflict(deps.db, (tx) => failTogether(deps, tx, { ...suspicion, suspects: part })),
    (suspect, err) => {
      left.push(suspect);
      deps.log.error({ ...suspect.tenant, intentId: suspect.intentId, err }, 'switch_off.failed');
    },
  );
  return left;
}

async function failTogether(
  deps: FailUnpayableDeps,
  tx: Transaction,
  { switchOff, suspects, owned }: Suspicion,
): Promise<void> {
  if (!(await holdSwitchOff(tx, switchOff))) return;
  const opened = await openBatch(deps, tx, suspects);
  // Read again under the locks of these intents: a receiver may have been switched on or a method chosen meanwhile.
  const held = suspects.flatMap((suspect) => opened.workingSet.intents.get(suspect.intentId) ?? []);
  const copied = await deps.directory.tenantCopy(tx, switchOff.tenant);
  await decideBatch(deps, tx, copied === undefined ? [] : arrivalsOf(switchOff, held, newestOf(copied, owned)), opened);
}

/** The newest version of each fact: a change may reach the copy after the owner has responded. */
function newestOf(copied: TenantCopy, owned: TenantFacts): TenantCopy {
  const accounts = new Map<string, ReceiverAccountFact>();
  for (const fact of [...copied.receiverAccounts, ...owned.receiverAccounts]) {
    accounts.set(fact.id, newer(accounts.get(fact.id), fact));
  }
  const merchant: MerchantFact | undefined =
    owned.merchant === null ? copied.merchant : newer(copied.merchant, owned.merchant);
  return { merchant, receiverAccounts: [...accounts.values()] };
}

function newer<Fact extends { readonly version: number }>(known: Fact | undefined, fact: Fact): Fact {
  return known !== undefined && known.version > fact.version ? known : fact;
}

function arrivalsOf({ tenant }: SwitchOff, intents: readonly PendingIntent[], copy: TenantCopy): UnpayableArrival[] {
  const ways = waysOf(copy);
  return intents.flatMap((intent) => {
    const reason = whyUnpayable(intent, ways);
    if (reason === undefined) return [];
    return [{ kind: 'unpayable', tenant, intentId: intent.id, referenceKey: intent.referenceKey, reason }];
  });
}

function waysOf({ merchant, receiverAccounts }: TenantCopy): Ways {
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
