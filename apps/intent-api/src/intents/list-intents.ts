import type { ListIntentsQuery, Page, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { listOwnIntents } from './intent-list-repository';
import type { StoredIntent } from '../domain/stored-intent';

/** Newest first, with the exact total. */
export async function listIntents(
  { db }: { db: Queryable },
  tenant: Tenant,
  query: ListIntentsQuery,
): Promise<Page<StoredIntent>> {
  const { total, intents } = await listOwnIntents(db, tenant, query);
  return { data: intents, total, page: query.page, limit: query.limit };
}
