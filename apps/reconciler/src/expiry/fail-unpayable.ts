import type { MerchantFact, ReceiverAccountFact, Tenant, TenantFacts } from '@pay/contracts';
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
  SECOND_LOOK_MS,
  type PendingIntent,
  type SwitchOff,
} from '../matching/switch-off-repository';
import type { UnpayableArrival } from '../domain/arrivals';
import { whyUnpayable, type Ways } from '../domain/unpayable';
import type { RefreshIntentDeps } from '../intake/refresh-intent';
import { decideBatch, openBatch, type DecideDeps } from '../matching/decide-batch';
import { inHalves } from './in-halves';
import { refreshSuspects, type RefreshedSuspects } from './refresh-suspects';

export interface FailUnpayableDeps extends DecideDeps, RefreshIntentDeps {
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
  const { db, directory, askTenantFacts, metrics, switchOffPage = PAGE } = deps;
  const switchOff = await claimSwitchOff(db, LEASE_MS);
  if (switchOff === undefined) return false;
  const { tenant } = switchOff;
  const [page, copied] = await Promise.all([
    findPending(db, switchOff, switchOffPage),
    directory.tenantCopy(db, tenant),
  ]);
  if (copied === undefined) return true;
  const suspected = arrivalsOf(switchOff, page, copied);
  // Requested after the page was read, so that the response is newer than each of these intents, however outdated the
  // copy is.
  const owned = suspected.length === 0 ? undefined : await askTenantFacts(tenant);
  if (owned === undefined) {
    if (suspected.length === 0) await finishPage(deps, switchOff, { page, isWhole: true, left: [] });
    return true;
  }
  const { rest, ...refreshed } = await refreshSuspects(deps, arrivalsOf(switchOff, page, newestOf(copied, owned)));
  const [next] = rest;
  const end = next === undefined ? page.length : page.findIndex(({ id }) => id === next.intentId);
  if (next !== undefined || refreshed.unanswered.length > 0) metrics.switchOffWaits.inc();
  if (next !== undefined && end === 0) return true;
  const left = [...refreshed.unanswered, ...(await failSuspects(deps, { switchOff, owned, ...refreshed }))];
  await finishPage(deps, switchOff, { page: page.slice(0, end), isWhole: next === undefined, left });
  return true;
}

interface DonePage {
  readonly page: readonly PendingIntent[];
  /** Ends where the page ends that was read. */
  readonly isWhole: boolean;
  /** Intents that are looked at again. */
  readonly left: readonly UnpayableArrival[];
}

/** Advances the row past these intents. Those that are left get rows, so that they do not hold the next pages. */
async function finishPage(
  { db, switchOffPage = PAGE }: FailUnpayableDeps,
  switchOff: SwitchOff,
  { page, isWhole, left }: DonePage,
): Promise<void> {
  const isOne = switchOff.intentId !== undefined;
  if (isOne && left.length > 0) return;
  const doneTo = isWhole && (isOne || page.length < switchOffPage) ? undefined : page.at(-1)?.id;
  await retryOnConflict(db, async (tx) => {
    if (!(await holdSwitchOff(tx, switchOff))) return;
    insertSwitchOffs(tx, left, SECOND_LOOK_MS);
    if (doneTo === undefined) finishSwitchOff(tx, switchOff.id);
    else advanceSwitchOff(tx, switchOff.id, doneTo);
  });
}

interface Suspicion {
  readonly switchOff: SwitchOff;
  readonly suspects: readonly UnpayableArrival[];
  readonly owned: TenantFacts;
}

/** Decides newer choices like their events, then the suspects. Returns those for which that fails. */
async function failSuspects(
  deps: FailUnpayableDeps,
  { answered, choices, ...suspicion }: Omit<Suspicion, 'suspects'> & Pick<RefreshedSuspects, 'answered' | 'choices'>,
): Promise<UnpayableArrival[]> {
  const failing = new Set<string>();
  const skip = (tenant: Tenant, intentId: string, err: unknown) => {
    failing.add(intentId);
    deps.log.error({ ...tenant, intentId, err }, 'switch_off.failed');
  };
  await inHalves(
    choices,
    (part) => retryOnConflict(deps.db, (tx) => decideBatch(deps, tx, part)),
    ({ tenant, intent }, error) => skip(tenant, intent.id, error),
  );
  await inHalves(
    answered.filter(({ intentId }) => !failing.has(intentId)),
    (suspects) => retryOnConflict(deps.db, (tx) => failTogether(deps, tx, { ...suspicion, suspects })),
    ({ tenant, intentId }, error) => skip(tenant, intentId, error),
  );
  return answered.filter(({ intentId }) => failing.has(intentId));
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
