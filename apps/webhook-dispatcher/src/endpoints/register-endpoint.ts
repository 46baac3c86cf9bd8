import { type RegisterEndpointRequest, type Tenant, BusinessError } from '@pay/contracts';
import type { SecretBox } from '@pay/runtime';
import type { AddressGuard } from '../adapters/address-guard';
import { admitUrl } from './admit-url';
import { assertAddressFree } from './assert-address-free';
import { insertEndpoint, lockAddresses, type Endpoint } from './endpoint-repository';
import type { ServiceDeps } from '../service-deps';

export interface RegisterDeps extends Pick<ServiceDeps, 'db' | 'newId'> {
  readonly guard: AddressGuard;
  readonly secrets: Pick<SecretBox, 'seal'>;
  /** Per merchant and environment. */
  readonly maxEndpoints: number;
}

export async function registerEndpoint(
  { db, guard, secrets, newId, maxEndpoints }: RegisterDeps,
  tenant: Tenant,
  { url, secret, eventTypes }: RegisterEndpointRequest,
): Promise<Endpoint> {
  admitUrl(guard, url, tenant.environment);
  const id = newId();
  const sealedSecret = secrets.seal(id, secret);
  return db.transaction(async (tx) => {
    const others = await lockAddresses(tx, tenant);
    if (others.length >= maxEndpoints) throw new BusinessError('ENDPOINT_LIMIT_REACHED');
    assertAddressFree(url, others);
    const { merchantId, environment } = tenant;
    return insertEndpoint(tx, { id, merchantId, environment, url, eventTypes, sealedSecret });
  });
}
