import { formatAmount, type SmsMatch, type Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const FIND = statement(
  'match-of-sms',
  `select id, environment, sms_event_id as "smsEventId", payment_intent_id as "paymentIntentId", path, status, reason, checks,
     expected_amount as "expectedAmount", received_amount as "receivedAmount", paid_in_time as "paidInTime", doubts,
     nullif(decided_by, 'system') as "resolvedBy", resolution_note as "resolutionNote", created_at as "createdAt",
     resolved_at as "resolvedAt"
   from matches where sms_event_id = $1 and merchant_id = $2 and environment = $3`,
);

interface Row extends Omit<SmsMatch, 'createdAt' | 'resolvedAt'> {
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}

/** The match of an SMS of the tenant; undefined while the SMS is not decided. */
export async function findMatchOfSms(
  db: Queryable,
  { merchantId, environment }: Tenant,
  smsEventId: string,
): Promise<SmsMatch | undefined> {
  const [row] = await db.query<Row>(FIND, [smsEventId, merchantId, environment]);
  if (row === undefined) return undefined;
  const amount = (poisha: string | null) => (poisha === null ? null : formatAmount(BigInt(poisha)));
  return {
    ...row,
    expectedAmount: amount(row.expectedAmount),
    receivedAmount: amount(row.receivedAmount),
    createdAt: row.createdAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}
