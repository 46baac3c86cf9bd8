import type { MatchRuling } from './court';
import type { Match } from './docket';
import type { Evidence, Intent } from './facts';
import { SMS_STATUS_OF } from './lifecycle';

export interface RulingOn {
  readonly decisionId: string;
  readonly evidence: Evidence | undefined;
  readonly ingestedAt: Date | undefined;
  /** The intent whose status the decision changes. */
  readonly moved: Pick<Intent, 'id' | 'status' | 'decisionSequence'> | undefined;
  readonly concernsSms: boolean;
}

/** A decision as the world is told of it, by the match as it is since. */
export function rulingOn(match: Match, { moved, concernsSms, ...rest }: RulingOn): MatchRuling {
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
