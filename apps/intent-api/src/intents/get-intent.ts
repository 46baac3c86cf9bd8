import { type Tenant, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findIntent } from './intent-repository';
import type { StoredIntent } from '../domain/stored-intent';

export interface GetOwnIntentDeps {
  /** Finds an intent of any tenant with a read that starts after the call. */
  readonly readIntent: (id: string) => Promise<StoredIntent | undefined>;
}

/** The committed state of a tenant's intent. Another tenant's intent is answered like an unknown one. */
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

/** The committed state of any intent, for services that have a copy of it. */
export async function getIntent({ db }: { db: Queryable }, id: string): Promise<StoredIntent> {
  const stored = await findIntent(db, id);
  if (stored === undefined) throw new BusinessError('NOT_FOUND');
  return stored;
}
