import type { SmsStatusBatchResponse, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findStatus } from '../intake/sms-event-repository';

/**
 * What became of the messages a phone has forwarded, in the order asked; ids that are not the tenant's are left out.
 */
export async function listStatuses(
  { db }: { readonly db: Queryable },
  tenant: Tenant,
  ids: readonly string[],
): Promise<SmsStatusBatchResponse> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = new Map((await findStatus(db, tenant, wanted)).map((state) => [state.id, state]));
  return { results: wanted.flatMap((id) => found.get(id) ?? []) };
}
