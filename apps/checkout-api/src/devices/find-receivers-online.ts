import { performance } from 'node:perf_hooks';
import { tenantKey, type Tenant } from '@pay/contracts';
import { findLastSeen, type Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { FreshCache } from '@pay/runtime';
import { receiversOnline } from '../domain/receiver-online';

const MAX_AGE_MS = 1_000;
const MOST_CACHED = 10_000;
const NOTHING_KNOWN: ReadonlyMap<string, boolean> = new Map();

export interface FindReceiversOnlineDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'devices'>;
  readonly now: () => Date;
}

/** Key: receiver account. Accounts whose phone has no known state are missing. */
export type FindReceiversOnline = (tenant: Tenant) => Promise<ReadonlyMap<string, boolean>>;

/** Cached for a second for all callers. */
export function receiversOnlineFinder({ db, directory, now }: FindReceiversOnlineDeps): FindReceiversOnline {
  const cache = new FreshCache<ReadonlyMap<string, boolean>>({
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MOST_CACHED,
    clock: () => performance.now(),
  });
  return async (tenant) => {
    const devices = await directory.devices(tenant);
    if (devices.length === 0) return NOTHING_KNOWN;
    const load = async () => receiversOnline(devices, await findLastSeen(db, devices), now());
    return (await cache.get(tenantKey(tenant), load)) ?? NOTHING_KNOWN;
  };
}
