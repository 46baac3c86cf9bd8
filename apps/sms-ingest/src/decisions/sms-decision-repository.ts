import type { Environment, MatchStatus, SmsStatus } from '@pay/contracts';
import type { ReportConflict } from '@pay/messaging';
import { statement, type Transaction } from '@pay/persistence';

/** The reconciler's decision about one SMS. */
export interface SmsDecision {
  readonly smsEventId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly epoch: number | null;
  readonly sequence: number;
  readonly status: SmsStatus;
  readonly matchStatus: MatchStatus;
  readonly paymentIntentId: string | null;
  readonly failureReason: string | null;
}

const PAID = "('MATCHED', 'MANUALLY_RESOLVED')";
/** If a text pays after it was passed over, the time of its alert starts with the payment. */
const PASSED_OVER_AT = `case when event.passed_over_at is not null and given.status in ${PAID} and event.status not in ${PAID}
  then $2::timestamptz else event.passed_over_at end`;

// Locked in id order, so that two replicas with the same events cannot deadlock. An unparsed text keeps the parser's
// reason, and the decision about a text that was parsed since is out of date: the next one is about the parsed text.
const APPLY = statement(
  'apply-sms-decisions',
  `with locked as (
     select given.*, event.decision_epoch, event.decision_sequence, event.status as known_status, event.match_status as known_match_status,
       event.payment_intent_id as known_payment_intent_id,
       given.status = 'UNPARSED' and event.status = 'PARSED' as was_parsed_since
     from jsonb_to_recordset($1::jsonb) as given ("smsEventId" uuid, "merchantId" uuid, environment text, epoch integer, sequence integer,
       status text, "matchStatus" text, "paymentIntentId" uuid, "failureReason" text)
     join sms_events as event on event.id = any(array[given."smsEventId"]) and event.merchant_id = given."merchantId"
       and event.environment = given.environment
     order by event.id for update of event
   ), applied as (
     update sms_events as event
     set status = given.status, match_status = given."matchStatus", payment_intent_id = given."paymentIntentId",
         failure_reason = case when given.status = 'UNPARSED' then coalesce(event.failure_reason, given."failureReason")
                               else given."failureReason" end,
         passed_over_at = ${PASSED_OVER_AT},
         decision_sequence = given.sequence, decision_epoch = greatest(event.decision_epoch, given.epoch)
     from locked as given
     where event.id = any(array[given."smsEventId"]) and not given.was_parsed_since
       and case when event.decision_epoch <> given.epoch then event.decision_epoch < given.epoch
                else event.decision_sequence < given.sequence end
   )
   select "smsEventId" as id, epoch, sequence from locked
   where decision_sequence = sequence and decision_epoch is not distinct from epoch and not was_parsed_since
     and (known_status, known_match_status, known_payment_intent_id) is distinct from (status, "matchStatus", "paymentIntentId")`,
);

/** Applies at most one decision per SMS; a decision that is not newer than the applied one changes nothing. */
export function applyDecisions(
  tx: Transaction,
  decisions: readonly SmsDecision[],
  at: Date,
  reportConflict: ReportConflict,
): void {
  tx.enqueue<{ id: string; epoch: number | null; sequence: number }>(
    APPLY,
    [JSON.stringify(decisions), at],
    (conflicts) => {
      for (const conflict of conflicts) reportConflict({ subject: 'sms', ...conflict });
    },
  );
}
