import { enqueuedRows } from '@pay/persistence';
import type { Signed } from './decision-chain';
import { paidAmountOf, type DecisionRecord, type PaymentFacts } from '../domain/decision-record';

/** Does not wait. The sealer assigns the order later, so that decisions of one merchant do not wait for a row lock. */
export const insertDecisions = enqueuedRows(
  'insert-decisions',
  `insert into decisions (id, merchant_id, environment, match_id, sms_event_id, payment_intent_id, decided_at, record, key_id, mac,
     paid_amount, paid_by_person, paid_seconds_after_sms)
   select id, merchant_id, environment, match_id, sms_event_id, payment_intent_id, decided_at, record, key_id, decode(mac, 'hex'),
     paid_amount, paid_by_person, paid_seconds_after_sms
   from jsonb_to_recordset($1::jsonb) as given (id uuid, merchant_id uuid, environment text, match_id uuid, sms_event_id uuid,
     payment_intent_id uuid, decided_at timestamptz, record text, key_id text, mac text, paid_amount bigint,
     paid_by_person boolean, paid_seconds_after_sms double precision)`,
  (decisions: readonly NewDecision[]) => {
    const rows = decisions.map(({ decision, payment, record, signed }) => ({
      id: decision.id,
      merchant_id: decision.merchantId,
      environment: decision.environment,
      match_id: decision.matchId,
      sms_event_id: decision.smsEventId,
      payment_intent_id: decision.paymentIntentId,
      decided_at: decision.decidedAt,
      record,
      key_id: signed.keyId,
      mac: signed.mac,
      paid_amount: paidAmountOf(decision).toString(),
      paid_by_person: payment?.byPerson,
      paid_seconds_after_sms: payment?.secondsAfterSms,
    }));
    return [JSON.stringify(rows)];
  },
);

export interface NewDecision {
  readonly decision: DecisionRecord;
  readonly payment: PaymentFacts | undefined;
  /** Its canonical JSON. */
  readonly record: string;
  readonly signed: Signed;
}
