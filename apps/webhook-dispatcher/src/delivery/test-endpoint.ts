import { type Environment, type Tenant, BusinessError } from '@pay/contracts';
import { findDelivery, type FoundDelivery } from './delivery-detail-repository';
import { insertTestDelivery } from './asked-delivery-repository';
import { findEndpoint } from '../endpoints/endpoint-repository';
import { maySend } from '../domain/delivery';
import { testBody, TEST_EVENT } from '../domain/payload';
import type { ServiceDeps } from '../service-deps';

export interface AskDeps extends Pick<ServiceDeps, 'db' | 'now' | 'newId'> {
  readonly verifiedEnvironments: readonly Environment[];
  readonly poke: () => void;
}

/** The test delivery takes the normal path, so that its result is representative. */
export async function testEndpoint(deps: AskDeps, tenant: Tenant, endpointId: string): Promise<FoundDelivery> {
  const { db, newId, now, poke } = deps;
  const endpoint = await findEndpoint(db, tenant, endpointId);
  if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
  if (!maySend(endpoint, deps.verifiedEnvironments)) throw new BusinessError('ENDPOINT_NOT_ACTIVE');
  const id = newId();
  const at = now();
  await insertTestDelivery(db, {
    id,
    endpointId,
    ...tenant,
    eventType: TEST_EVENT,
    occurredAt: at,
    idempotencyKey: `${TEST_EVENT}:${id}`,
    body: testBody(tenant.environment, at, endpointId),
  });
  poke();
  const delivery = await findDelivery(db, tenant, id);
  if (delivery === undefined) throw new Error('invariant: the insert returns one row');
  return delivery;
}
