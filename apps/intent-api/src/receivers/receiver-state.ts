import { performance } from 'node:perf_hooks';
import { tenantKey, type ReceiverAccountFact, type Tenant } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { FreshCache } from '@pay/runtime';
import { findSeenSince } from './device-last-seen-repository';
import { findDailyTotals } from './receiver-daily-total-repository';
import { dayInDhaka, firstOfMonth } from '../domain/day';
import type { ReceiverState } from '../domain/receiver-choice';

export interface ReceiverStateDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'devices'>;
  readonly now: () => Date;
}

export type ReceiverStateOf = (tenant: Tenant, accounts: readonly ReceiverAccountFact[]) => Promise<ReceiverState>;

export const LIMITS_REACHED =
  'The amount exceeds the daily or monthly limits of every active receiver account of the payment method.';

/** Three heartbeats. */
const ONLINE_WITHIN_MS = 3 * 60_000;
const MAX_AGE_MS = 1_000;
const MOST_CACHED = 10_000;
const NOTHING_TO_ASK: ReceiverState = { online: undefined, totals: new Map() };

/**
 * Cached for a second. Skips reads that cannot affect the choice: phones in SANDBOX or of a single account, and amounts
 * of accounts without limits.
 */
export function receiverState({ db, directory, now }: ReceiverStateDeps): ReceiverStateOf {
  const cache = new FreshCache<ReceiverState>({
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MOST_CACHED,
    clock: () => performance.now(),
  });

  async function onlineOf(tenant: Tenant): Promise<ReadonlySet<string>> {
    const devices = (await directory.devices(tenant)).filter((device) => !device.isDisabled);
    const since = new Date(now().getTime() - ONLINE_WITHIN_MS);
    const ids = devices.map((device) => device.id);
    const seen = ids.length === 0 ? new Set<string>() : await findSeenSince(db, ids, since);
    const online = devices.filter((device) => seen.has(device.id));
    return new Set(online.flatMap((device) => device.sims.flatMap((sim) => sim.receiverAccountIds)));
  }

  async function load(tenant: Tenant, limited: readonly string[], asksPhones: boolean): Promise<ReceiverState> {
    const day = dayInDhaka(now());
    const [online, totals] = await Promise.all([
      asksPhones ? onlineOf(tenant) : undefined,
      limited.length > 0 ? findDailyTotals(db, limited, { first: firstOfMonth(day), day }) : NOTHING_TO_ASK.totals,
    ]);
    return { online, totals };
  }

  return async (tenant, accounts) => {
    const active = accounts.filter((account) => account.isActive);
    const limited = active.filter(({ limits }) => limits).map((account) => account.id);
    const asksPhones = tenant.environment === 'LIVE' && active.length > 1;
    if (limited.length === 0 && !asksPhones) return NOTHING_TO_ASK;
    return (await cache.get(tenantKey(tenant), () => load(tenant, limited, asksPhones))) ?? NOTHING_TO_ASK;
  };
}
