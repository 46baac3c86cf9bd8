import { formatAmount, type SmsMatch, type Tenant } from '@pay/contracts';
import { mapped } from '@pay/persistence';

interface Row extends Omit<SmsMatch, 'createdAt' | 'resolvedAt'> {
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}

/** The match of an SMS of the tenant; undefined while the SMS is not decided. */
export const findMatchOfSms = mapped(toSmsMatch).firstRow(
  'match-of-sms',
  `select id, environment, sms_event_id as "smsEventId", payment_intent_id as "paymentIntentId", path, status, reason, checks,
     expected_amount as "expectedAmount", received_amount as "receivedAmount", paid_in_time as "paidInTime", doubts,
     nullif(decided_by, 'system') as "resolvedBy", resolution_note as "resolutionNote", created_at as "createdAt",
     resolved_at as "resolvedAt"
   from matches where sms_event_id = $1 and merchant_id = $2 and environment = $3`,
  ({ merchantId, environment }: Tenant, smsEventId: string) => [smsEventId, merchantId, environment],
);

function toSmsMatch(row: Row): SmsMatch {
  const amount = (poisha: string | null) => (poisha === null ? null : formatAmount(BigInt(poisha)));
  return {
    ...row,
    expectedAmount: amount(row.expectedAmount),
    receivedAmount: amount(row.receivedAmount),
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
