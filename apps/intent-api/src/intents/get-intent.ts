import { type Tenant, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findIntent } from './intent-repository';
import type { StoredIntent } from '../domain/stored-intent';

export interface GetOwnIntentDeps {
  /** Reads intents of all tenants. The read starts after the call. */
  readonly readIntent: (id: string) => Promise<StoredIntent | undefined>;
}

/** An intent of another tenant is NOT_FOUND. */
export async function getOwnIntent(
  { readIntent }: GetOwnIntentDeps,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<StoredIntent> {
  const stored = await readIntent(id);
  const isOwn = stored?.merchantId === merchantId && stored.environment === environment;
  if (stored === undefined || !isOwn) throw new BusinessError('NOT_FOUND');
  return stored;
}

/** For services with a copy of the intent. Finds intents of all tenants. */
export async function getIntent({ db }: { db: Queryable }, id: string): Promise<StoredIntent> {
  const stored = await findIntent(db, id);
  if (stored === undefined) throw new BusinessError('NOT_FOUND');
  return stored;
}
