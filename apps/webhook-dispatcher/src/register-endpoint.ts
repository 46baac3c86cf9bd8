import type { RegisterEndpointRequest, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import type { AddressGuard } from './adapters/address-guard';
import { admitUrl } from './admit-url';
import { insertEndpoint, type Endpoint } from './db/endpoints';

export interface RegisterDeps {
  readonly db: Queryable;
  readonly guard: AddressGuard;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly newId: () => string;
}

export async function registerEndpoint(
  { db, guard, secrets, newId }: RegisterDeps,
  { merchantId, environment }: Tenant,
  { url, secret, eventTypes }: RegisterEndpointRequest,
): Promise<Endpoint> {
  admitUrl(guard, url, environment);
  const id = newId();
  return insertEndpoint(db, { id, merchantId, environment, url, eventTypes, sealedSecret: secrets.seal(id, secret) });
}
