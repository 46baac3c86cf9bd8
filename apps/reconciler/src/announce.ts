import {
  formatAmount,
  MATCH_TYPES_OF_TEXTS_ALONE,
  type EventData,
  type MatchStatus,
  type MatchType,
} from '@pay/contracts';
import { draft, type EventDraft } from '@pay/messaging';
import { latestSubmission } from './domain/claim-times';
import type { MatchRuling, Rulings } from './domain/court';
import type { Claim, Evidence } from './domain/facts';
import { shownSmsEventId } from './domain/judge-claim';

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

/** The events that tell the world of these rulings. */
export function announcements(
  { matches, claims }: Pick<Rulings, 'matches' | 'claims'>,
  occurredAt: Date,
): EventDraft[] {
  return [
    ...matches.map((ruling) => announceMatch(ruling, occurredAt)),
    ...claims.map((claim) => announceClaim(claim, occurredAt)),
  ];
}

/** The same for decisions that are repeated, by the queue of the owner that has missed them. */
export function repetitions(
  { repeated }: Pick<Rulings, 'repeated'>,
  occurredAt: Date,
): { readonly queue: string; readonly drafts: EventDraft[] }[] {
  const toOwners = [
    { queue: 'sms-ingest.events', drafts: repeated.matches.map((ruling) => announceMatch(ruling, occurredAt)) },
    { queue: 'checkout-api.events', drafts: repeated.claims.map((claim) => announceClaim(claim, occurredAt)) },
  ];
  return toOwners.filter(({ drafts }) => drafts.length > 0);
}

function announceMatch(ruling: MatchRuling, occurredAt: Date): EventDraft {
  const type = ANNOUNCED_AS[ruling.status];
  // Its event does not reach intent-api.
  if (ruling.intent !== undefined && MATCH_TYPES_OF_TEXTS_ALONE.includes(type)) {
    throw new TypeError(`a decision that leaves a text ${ruling.status} moves no intent`);
  }
  return draft(type, {
    ...ruling.tenant,
    aggregateId: ruling.decisionId,
    sequence: 1,
    occurredAt,
    data: {
      matchId: ruling.matchId,
      matchStatus: ruling.status,
      path: ruling.path ?? null,
      reason: ruling.reason,
      checks: ruling.checks ?? null,
      ...(ruling.paidInTime !== undefined && { paidInTime: ruling.paidInTime }),
      decidedBy: ruling.decidedBy ?? 'system',
      paymentIntentId: ruling.paymentIntentId ?? null,
      intent: ruling.intent ?? null,
      sms: ruling.sms ?? null,
      evidence: ruling.evidence === undefined ? null : evidenceOf(ruling.evidence),
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
    },
  });
}
