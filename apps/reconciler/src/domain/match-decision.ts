import type { MatchDecision } from './matching-session';
import type { Match } from './working-set';
import type { Evidence, Intent } from './facts';
import { SMS_STATUS_OF } from './lifecycle';

export interface MatchDecisionDetails {
  readonly decisionId: string;
  readonly evidence: Evidence | undefined;
  readonly ingestedAt: Date | undefined;
  /** The intent whose status the decision changes. */
  readonly moved: Pick<Intent, 'id' | 'status' | 'decisionSequence'> | undefined;
  readonly concernsSms: boolean;
}

/** The published decision that led to the current state of a match. */
export function matchDecision(match: Match, { moved, concernsSms, ...rest }: MatchDecisionDetails): MatchDecision {
  return {
    ...rest,
    matchId: match.id,
    tenant: match.tenant,
    status: match.status,
    path: match.path,
    reason: match.reason,
    checks: match.checks,
    paidInTime: match.paidInTime,
    paymentIntentId: match.intentId,
    intent: moved && { id: moved.id, status: moved.status, sequence: moved.decisionSequence },
    sms: concernsSms
      ? { id: match.smsEventId, status: SMS_STATUS_OF[match.status], sequence: match.smsSequence }
      : undefined,
  };
}
