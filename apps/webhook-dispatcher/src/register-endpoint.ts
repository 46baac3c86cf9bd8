import type { RegisterEndpointRequest, Tenant } from '@pay/contracts';
import { ValidationError } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import type { AddressGuard } from './adapters/address-guard';
import { insertEndpoint, type Endpoint } from './db/endpoints';
import { judgeEndpointUrl } from './domain/endpoint-url';

export interface RegisterDeps {
  readonly db: Queryable;
  readonly guard: AddressGuard;
  readonly secrets: SecretBox;
  readonly newId: () => string;
}

/** Refusing an address here is a courtesy with a clear sentence; the guard proper sits at every connect. */
export async function registerEndpoint(
  { db, guard, secrets, newId }: RegisterDeps,
  { merchantId, environment }: Tenant,
  { url, secret, eventTypes }: RegisterEndpointRequest,
): Promise<Endpoint> {
  const judgement = judgeEndpointUrl(url, environment);
  if (!judgement.ok) throw new ValidationError([judgement.problem]);
  if (!guard.allowsHost(judgement.url.hostname, environment)) {
    throw new ValidationError(['url must point to a public address']);
  }
  const id = newId();
  return insertEndpoint(db, { id, merchantId, environment, url, eventTypes, sealedSecret: secrets.seal(id, secret) });
}
