import { formatAmount, MOST_CANDIDATES, type MatchCandidate, type Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findLedToReview } from './lead-repository';
import { findIntents } from './suggestion-repository';
import { failedRules } from '../domain/rules';
import type { KnownIntent } from '../domain/suggest';
import type { Candidate } from '../domain/working-set';

interface Considered {
  readonly smsEventId: string;
  readonly candidates: readonly Candidate[];
}

/** The intents that an SMS may pay, with their current status. */
export async function describeCandidates(
  db: Queryable,
  tenant: Tenant,
  { smsEventId, candidates }: Considered,
): Promise<MatchCandidate[]> {
  const all = withIntentsInReview(candidates, await findLedToReview(db, smsEventId));
  const ids = all.map(({ paymentIntentId }) => paymentIntentId);
  const byId = new Map((await findIntents(db, tenant, ids)).map((intent) => [intent.id, intent]));
  return all.map((candidate) => ({
    ...candidate,
    failedRules: [...candidate.failedRules],
    doubts: [...(candidate.doubts ?? [])],
    intent: describeIntent(byId.get(candidate.paymentIntentId)),
  }));
}

/**
 * Intents that this SMS led to review stay listed until they are decided, whatever the SMS leads to now. Linking one
 * that the full list lacks requires that the competing claims are acknowledged.
 */
function withIntentsInReview(
  candidates: readonly Candidate[],
  decisions: Awaited<ReturnType<typeof findLedToReview>>,
): Candidate[] {
  const doubts = candidates.length >= MOST_CANDIDATES ? (['competing_claims'] as const) : [];
  const listed = new Set(candidates.map(({ paymentIntentId }) => paymentIntentId));
  const unlisted = decisions.flatMap(({ paymentIntentId, path, reason, checks }) => {
    if (paymentIntentId === null || path === null || checks === null || listed.has(paymentIntentId)) return [];
    return [{ paymentIntentId, path, reason: reason as Candidate['reason'], failedRules: failedRules(checks), doubts }];
  });
  return [...candidates, ...unlisted];
}

function describeIntent(intent: KnownIntent | undefined): MatchCandidate['intent'] {
  if (intent === undefined) return null;
  const { status, amount, createdAt, expiresAt } = intent;
  const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { status, amount: formatAmount(amount), ...times };
}
