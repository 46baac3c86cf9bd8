import { type Tenant, BusinessError } from '@pay/contracts';
import { retryOnConflict, type Database } from '@pay/persistence';
import { deleteEndpointRow } from './endpoint-repository';

export interface DeleteDeps {
  readonly db: Database;
  readonly endpointChanged: (id: string) => void;
}

/** Deletes an endpoint. No request follows, except one in flight; its deliveries stay listed. */
export async function deleteEndpoint({ db, endpointChanged }: DeleteDeps, tenant: Tenant, id: string): Promise<void> {
  // A claim of due deliveries locks deliveries before endpoints; this locks the endpoint first.
  const existed = await retryOnConflict(db, (tx) => deleteEndpointRow(tx, tenant, id));
  if (!existed) throw new BusinessError('NOT_FOUND');
  endpointChanged(id);
}
