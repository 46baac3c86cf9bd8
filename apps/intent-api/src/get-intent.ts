import type { Tenant } from '@pay/contracts';
import { ApiError } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findIntent, findOwnIntent } from './db/read-intents';
import type { StoredIntent } from './domain/stored-intent';

/** The committed state of a tenant's intent. Another tenant's is as unknown as one that never existed. */
export async function getOwnIntent({ db }: { db: Queryable }, tenant: Tenant, id: string): Promise<StoredIntent> {
  const stored = await findOwnIntent(db, tenant, id);
  if (stored === undefined) throw new ApiError('NOT_FOUND');
  return stored;
}

/** The committed state of any intent, for the services that hold a copy of it. */
export async function getIntent({ db }: { db: Queryable }, id: string): Promise<StoredIntent> {
  const stored = await findIntent(db, id);
  if (stored === undefined) throw new ApiError('NOT_FOUND');
  return stored;
}
