import type { SmsMatch, Tenant } from '@pay/contracts';
import { firstRow } from '@pay/persistence';
import type { Candidate } from '../domain/working-set';

/** Amounts are in poisha. */
export interface MatchOfSmsRow extends Omit<SmsMatch, 'candidates' | 'createdAt' | 'resolvedAt'> {
  readonly candidates: readonly Candidate[];
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}

/** The match of an SMS of the tenant; undefined while the SMS is not decided. */
export const findMatchOfSmsRow = firstRow<MatchOfSmsRow, [tenant: Tenant, smsEventId: string]>(
  'match-of-sms',
  `select id, environment, sms_event_id as "smsEventId", payment_intent_id as "paymentIntentId", path, status, reason, checks,
     expected_amount as "expectedAmount", received_amount as "receivedAmount", paid_in_time as "paidInTime", doubts,
     candidates, assignee_id as "assigneeId", substring(decided_by from '^user:(.*)') as "resolvedBy", resolution_note as "resolutionNote",
     created_at as "createdAt", resolved_at as "resolvedAt"
   from matches where sms_event_id = $1 and merchant_id = $2 and environment = $3`,
  ({ merchantId, environment }, smsEventId) => [smsEventId, merchantId, environment],
);
