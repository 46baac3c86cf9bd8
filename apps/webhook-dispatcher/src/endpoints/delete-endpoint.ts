import { type Tenant, BusinessError } from '@pay/contracts';
import { markEndpointDeleted } from './endpoint-repository';
import { FAIL_OPEN_TASK, failFirstOpenDeliveries } from './fail-open-deliveries';
import type { ServiceDeps } from '../service-deps';

export interface DeleteDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly endpointChanged: (id: string) => void;
}

/**
 * No further request is sent, except those in flight. Deliveries stay listed, and unfinished ones fail in batches
 * afterwards.
 */
export async function deleteEndpoint(deps: DeleteDeps, tenant: Tenant, id: string): Promise<void> {
  const existed = await deps.db.transaction((tx) => markEndpointDeleted(tx, tenant, id));
  if (!existed) throw new BusinessError('NOT_FOUND');
  deps.endpointChanged(id);
  // The endpoint is already deleted, and the periodic task fails the remaining deliveries.
  await failFirstOpenDeliveries(deps, id).catch((error: unknown) => {
    deps.log.error({ task: FAIL_OPEN_TASK, err: error }, 'task.failed');
  });
}
