import { performance } from 'node:perf_hooks';
import {
  directoryKindSchema,
  eventsOf,
  tenantKey,
  type ApiKeyFact,
  type DeviceFact,
  type DirectoryKind,
  type EventOf,
  type ForwarderHook,
  type MerchantFact,
  type ReceiverAccountFact,
  type ServiceName,
  type Tenant,
  BusinessError,
} from '@pay/contracts';
import { hashKey, type ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import type { Database, Queryable, Transaction } from '@pay/persistence';
import { FreshCache, type Logger, type Worker } from '@pay/runtime';
import {
  applyFacts,
  deleteOfEarlierEpochs,
  findByKey,
  findConflicts,
  findDeviceById,
  holdsFactsOfEpoch,
  findMerchant,
  findOfTenant,
  findReceiverAccountsEver,
} from './copy';
import { isWellFormedCredential } from './credential';
import { deviceOfHook } from './hook-id';
import { keyUse } from './key-use';
import { mayUseApiKey, mayUseDevice } from './may-use';
import { ownerLookUp } from './owner-look-up';
import { isWhole, recordResendCompleted, resendWorker } from './resend';
import { factsAmong, type FactOf, type StoredFact } from './stored-fact';

export interface DirectoryDeps {
  readonly db: Database;
  readonly messaging: Pick<Messaging, 'publish' | 'consumer' | 'broadcast' | 'handleControl' | 'reportConflict'>;
  readonly service: ServiceName;
  /** With `merchant` among them, keys and devices of a merchant that is switched off are refused. */
  readonly kinds: readonly DirectoryKind[];
  /** Internal routes of dashboard-api. If absent, unknown credentials are not looked up. */
  readonly lookup?: Pick<ServiceClient, 'request'>;
  /** Receives the facts that were newer than the copy, in the transaction that stores them. */
  readonly onChange?: OnChange;
  readonly log: Logger;
  readonly now: () => Date;
  /** Monotonic clock in milliseconds for the age of cached values. Default: `performance.now`. */
  readonly clock?: () => number;
}

/**
 * A service's copy of the facts that dashboard-api owns, updated by events and cached for at most a second. While
 * dashboard-api is down, all known facts remain usable.
 */
export interface Directory {
  /** Undefined for unknown, deleted, locked, revoked and expired keys. */
  findApiKey(key: string): Promise<ApiKeyFact | undefined>;
  /** Undefined for a device that may not forward SMS now. */
  findDevice(key: string): Promise<DeviceFact | undefined>;
  /**
   * Throws SERVICE_UNAVAILABLE if a known device may have this hook but the owner does not respond: after a 404 a
   * forwarder may discard its message.
   */
  findHook(hookId: string): Promise<DeviceHook | undefined>;
  /** Undefined if unknown or deleted; inactive ones are returned. */
  merchant(id: string): Promise<MerchantFact | undefined>;
  /** Active and inactive ones without deleted ones, ordered by id. */
  receiverAccounts(tenant: Tenant): Promise<readonly ReceiverAccountFact[]>;
  /** Enabled and disabled ones without deleted ones, ordered by id. */
  devices(tenant: Tenant): Promise<readonly DeviceFact[]>;
  /**
   * Uncached and with deleted facts, for decisions that cannot be undone. Undefined while the copy is incomplete,
   * because a missing fact then proves nothing.
   */
  tenantCopy(db: Queryable, tenant: Tenant): Promise<TenantCopy | undefined>;
  /** Consumes `<service>.control`: facts, completed re-sends, replay requests. */
  controlConsumer(): Worker;
  /** Requests a complete re-send until the copy is complete. The service is not ready until then. */
  resendWhenEmpty(): Worker;
  /** Reports to dashboard-api when API keys were last used. For services with API key authentication. */
  reportKeyUse(): Worker;
}

export interface DeviceHook {
  readonly device: DeviceFact;
  readonly hook: ForwarderHook;
}

export interface TenantCopy {
  readonly merchant: MerchantFact | undefined;
  readonly receiverAccounts: readonly ReceiverAccountFact[];
}

export type OnChange = (tx: Transaction, facts: readonly StoredFact[]) => Promise<void>;

const TOPIC = 'directory';
const MAX_AGE_MS = 1_000;
const MOST_CACHED = 10_000;

export function openDirectory(deps: DirectoryDeps): Directory {
  const { db, messaging, service, kinds, onChange, log, now, clock = () => performance.now() } = deps;
  const cache = <Value>() => new FreshCache<Value>({ maxAgeMs: MAX_AGE_MS, maxEntries: MOST_CACHED, clock });
  const caches = {
    api_key: cache<ApiKeyFact>(),
    device: cache<DeviceFact>(),
    merchant: cache<MerchantFact>(),
    receiver_account: cache<readonly ReceiverAccountFact[]>(),
  };
  const devicesOfTenants = cache<readonly DeviceFact[]>();
  const hooks = cache<DeviceHook>();
  const owner = deps.lookup && ownerLookUp({ client: deps.lookup, log, clock });
  const used = keyUse({ db, messaging, service, log, now });
  const knowsMerchants = kinds.includes('merchant');

  messaging.broadcast.on(TOPIC, (kind) => {
    for (const name of directoryKindSchema.options) if (name === kind) drop(name);
  });

  function drop(kind: DirectoryKind): void {
    caches[kind].drop();
    if (kind !== 'device') return;
    devicesOfTenants.drop();
    hooks.drop();
  }

  async function apply(tx: Transaction, facts: readonly StoredFact[]): Promise<void> {
    const changed = await applyFacts(tx, facts);
    const conflicts = await findConflicts(
      tx,
      facts.filter((fact) => !changed.includes(fact)),
    );
    tx.onCommit(() => {
      for (const { id, epoch, version } of conflicts)
        messaging.reportConflict({ subject: 'directory_fact', id, epoch, sequence: version });
    });
    await noteChanged(tx, changed);
  }

  /**
   * The cache of this process is invalidated at the commit; those of other processes by a broadcast, or by age if it is
   * lost.
   */
  async function noteChanged(tx: Transaction, changed: readonly StoredFact[]): Promise<void> {
    if (changed.length === 0) return;
    tx.onCommit(() => {
      for (const kind of new Set(changed.map((fact) => fact.kind))) {
        drop(kind);
        messaging.broadcast.send(TOPIC, kind);
      }
    });
    await onChange?.(tx, changed);
  }

  /**
   * Facts that a complete re-send of an epoch lacks no longer exist at the owner: its database lost their commit.
   * Returns false while facts of the re-send are missing.
   */
  async function completeResend(
    tx: Transaction,
    { epoch, data: { kinds: sent, counts } }: EventOf<'directory.resend_completed'>,
  ): Promise<boolean> {
    const kept = (counts ?? []).filter(({ kind }) => kinds.includes(kind));
    if (typeof epoch !== 'number' || kept.length === 0) {
      await recordResendCompleted(tx, sent, null);
      return true;
    }
    for (const count of kept) if (!(await holdsFactsOfEpoch(tx, count, epoch))) return false;
    const lost: StoredFact[] = [];
    for (const { kind } of kept) lost.push(...(await deleteOfEarlierEpochs(tx, kind, epoch)));
    await recordResendCompleted(tx, sent, epoch);
    await noteChanged(tx, lost);
    if (lost.length > 0) {
      const ids = lost.map(({ kind, id }) => `${kind} ${id}`);
      tx.onCommit(() => log.error({ facts: ids, epoch }, 'directory.lost_facts_deleted'));
    }
    return true;
  }

  async function load<Kind extends 'api_key' | 'device'>(
    kind: Kind,
    key: string,
    keyHash: string,
  ): Promise<FactOf[Kind] | undefined> {
    // The key was never issued, so neither the database nor the owner is asked.
    if (!isWellFormedCredential(key)) return undefined;
    const known = await findByKey(db, kind, keyHash);
    if (known !== undefined || owner === undefined) return known;
    const found = await owner.find(kind, keyHash);
    if (found === undefined) return undefined;
    await db.transaction((tx) => apply(tx, [found]));
    log.info({ kind, id: found.id }, 'directory.looked_up');
    // Read again, because a newer version may have arrived by event meanwhile.
    return findByKey(db, kind, keyHash);
  }

  async function loadHook(deviceId: string, hookHash: string): Promise<DeviceHook | undefined> {
    const known = await findDeviceById(db, deviceId);
    const hooked = withHook(known, hookHash);
    if (hooked !== undefined || owner === undefined || known?.isDisabled || known?.deleted) return hooked;
    const found = await owner.findDeviceById(deviceId);
    // The state is unknown, and a request to a hook that was just created must be repeated.
    if (found === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
    if (!found) return undefined;
    await db.transaction((tx) => apply(tx, [found]));
    log.info({ kind: 'device', id: deviceId }, 'directory.looked_up');
    return withHook(await findDeviceById(db, deviceId), hookHash);
  }

  async function merchantOf(id: string): Promise<MerchantFact | undefined> {
    return knowsMerchants ? caches.merchant.get(id, () => findMerchant(db, id)) : undefined;
  }

  async function handleControl(tx: Transaction, events: readonly EventOf[]): Promise<{ notYet: string[] }> {
    const facts = factsAmong(events, kinds);
    await apply(tx, facts);
    const notYet: string[] = [];
    const completed = eventsOf(events, 'directory.resend_completed').filter((event) => event.data.service === service);
    for (const event of completed) if (!(await completeResend(tx, event))) notYet.push(event.id);
    const replays = eventsOf(events, 'messaging.replay_requested');
    if (replays.length > 0) await messaging.handleControl(tx, replays);
    if (facts.length > 0) tx.onCommit(() => log.info({ facts: facts.length }, 'directory.applied'));
    return { notYet };
  }

  return {
    async findApiKey(key) {
      const keyHash = hashKey(key);
      const fact = await caches.api_key.get(keyHash, () => load('api_key', key, keyHash));
      if (!fact || !mayUseApiKey(fact, await merchantOf(fact.merchantId), now())) return undefined;
      used.note(fact.id);
      return fact;
    },
    async findDevice(key) {
      const keyHash = hashKey(key);
      const fact = await caches.device.get(keyHash, () => load('device', key, keyHash));
      return fact && mayUseDevice(fact, await merchantOf(fact.merchantId)) ? fact : undefined;
    },
    async findHook(hookId) {
      const deviceId = deviceOfHook(hookId);
      if (deviceId === undefined) return undefined;
      const hookHash = hashKey(hookId);
      const found = await hooks.get(hookHash, () => loadHook(deviceId, hookHash));
      return found && mayUseDevice(found.device, await merchantOf(found.device.merchantId)) ? found : undefined;
    },
    async merchant(id) {
      const fact = await merchantOf(id);
      return fact?.deleted === true ? undefined : fact;
    },
    async receiverAccounts(tenant) {
      const load = () => findOfTenant(db, 'receiver_account', tenant);
      return (await caches.receiver_account.get(tenantKey(tenant), load)) ?? [];
    },
    async devices(tenant) {
      return (await devicesOfTenants.get(tenantKey(tenant), () => findOfTenant(db, 'device', tenant))) ?? [];
    },
    async tenantCopy(from, tenant) {
      const [whole, merchant, receiverAccounts] = await Promise.all([
        isWhole(from, kinds),
        findMerchant(from, tenant.merchantId),
        findReceiverAccountsEver(from, tenant),
      ]);
      return whole ? { merchant, receiverAccounts } : undefined;
    },
    controlConsumer: () => messaging.consumer({ queue: `${service}.control`, handle: handleControl }),
    resendWhenEmpty: () => resendWorker({ db, messaging, service, kinds, log, now }),
    reportKeyUse: () => used.worker(),
  };
}

function withHook(device: DeviceFact | undefined, hookHash: string): DeviceHook | undefined {
  const hook = device?.hooks?.find((one) => one.hookHash === hookHash);
  return device && hook && { device, hook };
}
