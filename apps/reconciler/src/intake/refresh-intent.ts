import { compareSequences, type InternalIntent, type SequencePair, type Tenant, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findIntent } from '../matching/intent-repository';
import { sourceOf } from '../domain/record-facts';
import type { IntentArrival } from '../domain/arrivals';
import { isOpen, sameTenant } from '../domain/facts';
import type { MatchSettings } from '../matching/find-terms';
import { intentArrival } from './handle-events';

export interface RefreshIntentDeps {
  readonly db: Queryable;
  readonly fetchIntent: (intentId: string) => Promise<InternalIntent>;
  readonly settings: MatchSettings;
  readonly now: () => Date;
}

/** Later than any stored facts. */
export const NEWEST: SequencePair = { epoch: undefined, sequence: Number.MAX_SAFE_INTEGER };

/**
 * Reads an intent from intent-api if the local copy is missing or older than the caller's. A response that is newer
 * than the copy is decided like an event that has not arrived yet.
 */
export async function refreshIntent(
  { db, fetchIntent, settings, now }: RefreshIntentDeps,
  tenant: Tenant,
  intentId: string,
  wanted: SequencePair,
): Promise<IntentArrival[]> {
  const known = await findIntent(db, intentId);
  if (known !== undefined && !sameTenant(known.tenant, tenant)) throw new BusinessError('NOT_FOUND');
  if (known !== undefined && compareSequences(sourceOf(known), wanted) >= 0) return [];
  const found = await fetchIntent(intentId);
  if (!sameTenant(found, tenant)) throw new BusinessError('NOT_FOUND');
  const arrival = intentArrival(tenant, found, found.intent);
  // Retention deleted its record and its payment here.
  const isOver = now().getTime() - arrival.intent.createdAt.getTime() >= settings.recordRetentionMs;
  if (known === undefined && isOver && !isOpen(arrival.intent)) throw new BusinessError('NOT_FOUND');
  const isNewer = known === undefined || compareSequences(sourceOf(arrival.intent), sourceOf(known)) > 0;
  return isNewer ? [arrival] : [];
}
