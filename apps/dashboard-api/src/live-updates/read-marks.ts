import { exceptionPageSchema, intentCountsSchema, type ChangeTopic, type Tenant } from '@pay/contracts';
import { findLastSeen } from '@pay/directory';
import { ServiceCallFailed } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Peers } from '../clients/service-clients';
import { devices } from '../db/tables';
import { deviceView } from '../domain/views';

export interface ReadMarksDeps extends Pick<Peers, 'intentApi' | 'reconciler'> {
  readonly db: Queryable;
  readonly offlineSeconds: number;
  readonly now: () => Date;
}

/** Each text changes when the data of its topic changes. Topics whose owner does not respond are missing. */
export type Marks = Readonly<Partial<Record<ChangeTopic, string>>>;

/** Three reads per tenant, all of existing rows, so that payments need no additional writes. */
export async function readMarks(deps: ReadMarksDeps, tenant: Tenant): Promise<Marks> {
  const [payments, exceptions, ofDevices] = await Promise.all([
    markOf(async () => JSON.stringify(await countIntents(deps, tenant))),
    markOf(() => markOfExceptions(deps, tenant)),
    markOfDevices(deps, tenant),
  ]);
  return {
    ...(payments === undefined ? {} : { payments }),
    ...(exceptions === undefined ? {} : { exceptions }),
    devices: ofDevices,
  };
}

async function markOf(read: () => Promise<string>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceCallFailed) return undefined;
    throw error;
  }
}

function countIntents({ intentApi }: ReadMarksDeps, { merchantId, environment }: Tenant) {
  const search = new URLSearchParams({ merchantId, environment }).toString();
  return intentApi.request('GET', `/internal/v1/intent-counts?${search}`, { schema: intentCountsSchema });
}

async function markOfExceptions({ reconciler }: ReadMarksDeps, { merchantId, environment }: Tenant): Promise<string> {
  const fixed = { status: 'OPEN', order: 'newest', limit: '1' };
  const search = new URLSearchParams({ merchantId, environment, ...fixed }).toString();
  const { data, total } = await reconciler.request('GET', `/internal/v1/exceptions?${search}`, {
    schema: exceptionPageSchema,
  });
  return `${total} ${data[0]?.id ?? ''}`;
}

/** A device also changes by going offline, so the mark contains its status and not the time of its last contact. */
async function markOfDevices(
  { db, now, offlineSeconds }: ReadMarksDeps,
  { merchantId, environment }: Tenant,
): Promise<string> {
  const found = await devices.listBy(db, 'presentOfTenant', [merchantId, environment]);
  const seen = await findLastSeen(db, found);
  const moment = { now: now(), offlineSeconds };
  return found
    .map(
      (device) =>
        `${device.id} ${device.version} ${deviceView(device, { lastSeen: seen.get(device.id), ...moment }).status}`,
    )
    .join();
}
