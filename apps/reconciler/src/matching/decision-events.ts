import {
  formatAmount,
  MATCH_TYPES_OF_TEXTS_ALONE,
  type EventData,
  type MatchStatus,
  type MatchType,
} from '@pay/contracts';
import { draft, type EventDraft } from '@pay/messaging';
import { latestSubmission } from '../domain/claim-times';
import type { MatchDecision, SessionResult } from '../domain/matching-session';
import type { Claim, Evidence } from '../domain/facts';
import { shownSmsEventId } from '../domain/decide-claim';

const ANNOUNCED_AS: Readonly<Record<MatchStatus, MatchType>> = {
  PENDING: 'match.pending',
  MATCHED: 'match.confirmed',
  REVIEW_REQUIRED: 'match.review_required',
  FAILED: 'match.failed',
  EXPIRED: 'match.expired',
  UNPARSED: 'match.unparsed',
  DUPLICATE: 'match.duplicate',
  MANUALLY_RESOLVED: 'match.resolved',
  REJECTED: 'match.rejected',
};

/** The events that publish these decisions. */
export function announcements(
  { matches, claims }: Pick<SessionResult, 'matches' | 'claims'>,
  occurredAt: Date,
): EventDraft[] {
  return [
    ...matches.map((decision) => announceMatch(decision, occurredAt)),
    ...claims.map((claim) => announceClaim(claim, occurredAt)),
  ];
}

/** The same for repeated decisions, grouped by the queue of the service that has no decision. */
export function repetitions(
  { repeated }: Pick<SessionResult, 'repeated'>,
  occurredAt: Date,
): { readonly queue: string; readonly drafts: EventDraft[] }[] {
  const toOwners = [
    { queue: 'sms-ingest.events', drafts: repeated.matches.map((decision) => announceMatch(decision, occurredAt)) },
    { queue: 'checkout-api.events', drafts: repeated.claims.map((claim) => announceClaim(claim, occurredAt)) },
  ];
  return toOwners.filter(({ drafts }) => drafts.length > 0);
}

function announceMatch(decision: MatchDecision, occurredAt: Date): EventDraft {
  const type = ANNOUNCED_AS[decision.status];
  // Its event does not reach intent-api.
  if (decision.intent !== undefined && MATCH_TYPES_OF_TEXTS_ALONE.includes(type)) {
    throw new TypeError(`a decision that leaves a text ${decision.status} moves no intent`);
  }
  return draft(type, {
    ...decision.tenant,
    aggregateId: decision.decisionId,
    sequence: 1,
    occurredAt,
    data: {
      matchId: decision.matchId,
      matchStatus: decision.status,
      path: decision.path ?? null,
      reason: decision.reason,
      checks: decision.checks ?? null,
      ...(decision.paidInTime !== undefined && { paidInTime: decision.paidInTime }),
      decidedBy: decision.decidedBy ?? 'system',
      paymentIntentId: decision.paymentIntentId ?? null,
      intent: decision.intent ?? null,
      sms: decision.sms ?? null,
      evidence: decision.evidence === undefined ? null : evidenceOf(decision.evidence),
    },
  });
}

function evidenceOf(evidence: Evidence): NonNullable<EventData<MatchType>['evidence']> {
  return {
    smsEventId: evidence.smsEventId,
    provider: evidence.provider,
    paymentMethod: evidence.method,
    trxId: evidence.trxId,
    amount: formatAmount(evidence.amount),
    receiverAccountId: evidence.receiverAccountId ?? null,
    receiverMsisdn: evidence.receiverMsisdn ?? null,
    providerTime: evidence.providerTime.toISOString(),
    ingestedAt: evidence.ingestedAt.toISOString(),
  };
}

function announceClaim(claim: Claim, occurredAt: Date): EventDraft {
  return draft(claim.outcome === 'waiting' ? 'claim.waiting' : 'claim.settled', {
    ...claim.tenant,
    aggregateId: claim.id,
    sequence: claim.sequence,
    occurredAt,
    data: {
      claimId: claim.id,
      paymentIntentId: claim.intentId,
      outcome: claim.outcome,
      smsEventId: shownSmsEventId(claim) ?? null,
      submittedAt: latestSubmission(claim).toISOString(),
      ...(claim.submissions !== undefined && { submissions: claim.submissions }),
    },
  });
}
