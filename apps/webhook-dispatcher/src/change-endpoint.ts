import type { ChangeEndpointRequest, Tenant } from '@pay/contracts';
import { ApiError } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { AddressGuard } from './adapters/address-guard';
import { admitUrl } from './admit-url';
import { changeEndpointRow, lockEndpoint } from './db/endpoint-changes';
import { findEndpoint, type Endpoint } from './db/endpoints';

/** What is not given stays. What was held while an endpoint was switched off stays held until somebody asks for it. */
export async function changeEndpoint(
  { db, guard }: { readonly db: Database; readonly guard: AddressGuard },
  tenant: Tenant,
  id: string,
  { url, eventTypes, isActive }: ChangeEndpointRequest,
): Promise<Endpoint> {
  const changed = await db.transaction(async (tx) => {
    if ((await lockEndpoint(tx, tenant, id)) === undefined) return undefined;
    // Judged after the look-up: what another tenant owns is answered 404, whatever else is wrong.
    if (typeof url === 'string') admitUrl(guard, url, tenant.environment);
    await changeEndpointRow(tx, id, { url: url ?? undefined, eventTypes, isActive: isActive ?? undefined });
    return findEndpoint(tx, tenant, id);
  });
  if (changed === undefined) throw new ApiError('NOT_FOUND');
  return changed;
}
