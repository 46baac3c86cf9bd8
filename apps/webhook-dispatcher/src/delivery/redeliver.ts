import { type Tenant, BusinessError } from '@pay/contracts';
import { askAgain } from './asked-delivery-repository';
import { findDelivery, type FoundDelivery } from './delivery-detail-repository';
import { findEndpoint } from '../endpoints/endpoint-repository';
import { maySend } from '../domain/delivery';
import type { AskDeps } from './test-endpoint';

/** Allowed in every status. Each request adds one attempt, even while another one is running. */
export async function redeliver(deps: AskDeps, tenant: Tenant, id: string): Promise<FoundDelivery> {
  const { db, verifiedEnvironments, poke } = deps;
  const delivery = await findDelivery(db, tenant, id);
  if (delivery === undefined) throw new BusinessError('NOT_FOUND');
  const endpoint = await findEndpoint(db, tenant, delivery.endpointId);
  if (endpoint === undefined || !maySend(endpoint, verifiedEnvironments))
    throw new BusinessError('ENDPOINT_NOT_ACTIVE');
  await askAgain(db, id);
  poke();
  const asked = await findDelivery(db, tenant, id);
  if (asked === undefined) throw new BusinessError('NOT_FOUND');
  return asked;
}
