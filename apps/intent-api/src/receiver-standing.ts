import { performance } from 'node:perf_hooks';
import type { ReceiverAccountFact, Tenant } from '@pay/contracts';
import { FreshCache, type Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { findSeenSince } from './db/device-sightings';
import { findTakings } from './db/receiver-takings';
import { dayInDhaka, firstOfMonth } from './domain/day';
import type { ReceiverStanding } from './domain/receiver-choice';

export interface ReceiverStandingDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'devices'>;
  readonly now: () => Date;
}

export type StandingOf = (tenant: Tenant, accounts: readonly ReceiverAccountFact[]) => Promise<ReceiverStanding>;

/** What is said when no account bears an amount. */
export const LIMITS_REACHED =
  'The amount exceeds the daily or monthly limits of every active receiver account of the payment method.';

/** Three heartbeats. */
const HEARD_WITHIN_MS = 3 * 60_000;
const MAX_AGE_MS = 1_000;
const MOST_CACHED = 10_000;
const NOTHING_TO_ASK: ReceiverStanding = { heard: undefined, taken: new Map() };

/**
 * Which of a tenant's receiver accounts have a phone that was heard of lately, and what they were paid: as of a second ago at most, asked
 * once a second however many intents are created. Asks nothing where nothing depends on it: phones in SANDBOX or for a single account,
 * takings for accounts without limits.
 */
export function receiverStanding({ db, directory, now }: ReceiverStandingDeps): StandingOf {
  const cache = new FreshCache<ReceiverStanding>({
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MOST_CACHED,
    clock: () => performance.now(),
  });

  async function heardOf(tenant: Tenant): Promise<ReadonlySet<string>> {
    const devices = (await directory.devices(tenant)).filter((device) => !device.isDisabled);
    const since = new Date(now().getTime() - HEARD_WITHIN_MS);
    const ids = devices.map((device) => device.id);
    const seen = ids.length === 0 ? new Set<string>() : await findSeenSince(db, ids, since);
    const heard = devices.filter((device) => seen.has(device.id));
    return new Set(heard.flatMap((device) => device.sims.flatMap((sim) => sim.receiverAccountIds)));
  }

  async function load(tenant: Tenant, limited: readonly string[], asksPhones: boolean): Promise<ReceiverStanding> {
    const day = dayInDhaka(now());
    const [heard, taken] = await Promise.all([
      asksPhones ? heardOf(tenant) : undefined,
      limited.length > 0 ? findTakings(db, limited, { first: firstOfMonth(day), day }) : NOTHING_TO_ASK.taken,
    ]);
    return { heard, taken };
  }

  return async (tenant, accounts) => {
    const active = accounts.filter((account) => account.isActive);
    const limited = active.filter(({ limits }) => limits).map((account) => account.id);
    const asksPhones = tenant.environment === 'LIVE' && active.length > 1;
    if (limited.length === 0 && !asksPhones) return NOTHING_TO_ASK;
    const key = `${tenant.merchantId} ${tenant.environment}`;
    return (await cache.get(key, () => load(tenant, limited, asksPhones))) ?? NOTHING_TO_ASK;
  };
}
