import { type ChangeEndpointRequest, type Tenant, BusinessError } from '@pay/contracts';
import { retryOnConflict } from '@pay/persistence';
import type { AddressGuard } from '../adapters/address-guard';
import { admitUrl } from './admit-url';
import { assertAddressFree } from './assert-address-free';
import { changeEndpointRow, lockEndpoint } from './endpoint-change-repository';
import { findEndpoint, lockAddresses, type Endpoint } from './endpoint-repository';
import { beginRecovery } from './recovery-request-repository';
import type { ServiceDeps } from '../service-deps';

export interface ChangeDeps extends Pick<ServiceDeps, 'db' | 'now' | 'newId'> {
  readonly guard: AddressGuard;
  readonly wakeRecoveries: () => void;
  readonly endpointChanged: (id: string) => void;
}

/**
 * Omitted fields are not changed. Enabling and a new URL make waiting retries due; held deliveries stay held until a
 * verification, or until a recovery is requested.
 */
export async function changeEndpoint(
  { db, guard, newId, now, wakeRecoveries, endpointChanged }: ChangeDeps,
  tenant: Tenant,
  id: string,
  { url, eventTypes, isActive }: ChangeEndpointRequest,
): Promise<Endpoint> {
  const changed = await retryOnConflict(db, async (tx) => {
    const addresses = typeof url === 'string' ? await lockAddresses(tx, tenant) : [];
    const endpoint = await lockEndpoint(tx, tenant, id);
    if (endpoint === undefined) return undefined;
    const isMoved = typeof url === 'string' && url !== endpoint.url;
    if (typeof url === 'string') {
      // Checked after the look-up, because an endpoint of another tenant must be 404 regardless of other errors.
      admitUrl(guard, url, tenant.environment);
      if (isMoved)
        assertAddressFree(
          url,
          addresses.filter((other) => other.id !== id),
        );
    }
    await changeEndpointRow(tx, id, { url: url ?? undefined, eventTypes, isActive: isActive ?? undefined });
    if (isMoved || isActive) await beginRecovery(tx, { id: newId(), endpointId: id, kind: 'CAME_BACK', since: now() });
    return findEndpoint(tx, tenant, id);
  });
  if (changed === undefined) throw new BusinessError('NOT_FOUND');
  if (url !== undefined || isActive !== undefined) endpointChanged(id);
  wakeRecoveries();
  return changed;
}
