import type { SmsStatusBatchResponse, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findStatus } from './sms-event-repository';

/** The status of forwarded messages, in the order of the request; ids of other tenants are omitted. */
export async function listStatuses(
  { db }: { readonly db: Queryable },
  tenant: Tenant,
  ids: readonly string[],
): Promise<SmsStatusBatchResponse> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = new Map((await findStatus(db, tenant, wanted)).map((state) => [state.id, state]));
  return { results: wanted.flatMap((id) => found.get(id) ?? []) };
}
