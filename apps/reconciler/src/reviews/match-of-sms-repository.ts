import {
  formatAmount,
  type Checks,
  type Environment,
  type MatchPath,
  type MatchStatus,
  type SmsMatch,
  type Tenant,
} from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const FIND = statement(
  'match-of-sms',
  `select id, environment, sms_event_id, payment_intent_id, path, status, reason, checks, expected_amount, received_amount, paid_in_time,
     doubts, decided_by, resolution_note, created_at, resolved_at
   from matches where sms_event_id = $1 and merchant_id = $2 and environment = $3`,
);

interface Row {
  readonly id: string;
  readonly environment: Environment;
  readonly sms_event_id: string;
  readonly payment_intent_id: string | null;
  readonly path: MatchPath | null;
  readonly status: MatchStatus;
  readonly reason: string;
  readonly checks: Checks | null;
  readonly expected_amount: string | null;
  readonly received_amount: string | null;
  readonly paid_in_time: boolean | null;
  readonly doubts: readonly string[];
  readonly decided_by: string;
  readonly resolution_note: string | null;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
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
    ...{ id: row.id, environment: row.environment, smsEventId: row.sms_event_id, status: row.status },
    ...{ paymentIntentId: row.payment_intent_id, path: row.path, reason: row.reason, checks: row.checks },
    ...{ expectedAmount: amount(row.expected_amount), receivedAmount: amount(row.received_amount) },
    paidInTime: row.paid_in_time,
    doubts: [...row.doubts],
    resolvedBy: row.decided_by === 'system' ? null : row.decided_by,
    ...{ resolutionNote: row.resolution_note, createdAt: row.created_at.toISOString() },
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}
