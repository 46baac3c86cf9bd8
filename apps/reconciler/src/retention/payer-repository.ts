import { arraysOf, inTransaction, statement, type Transaction } from '@pay/persistence';

export interface EvidenceOfPayer {
  readonly smsEventId: string;
  readonly state: string;
  readonly payerMsisdn: string | null;
  readonly referenceKey: string | null;
}

// As sessions do: the match is the lock of its evidence, and is taken in the order of the SMS events.
const LOCK = statement(
  'lock-matches-of-payers',
  `select 1 from matches where sms_event_id = any($1::uuid[]) and merchant_id = $2 order by sms_event_id for update`,
);
const EVIDENCE = statement(
  'evidence-of-payers',
  `select sms_event_id as "smsEventId", state, payer_msisdn as "payerMsisdn", reference_key as "referenceKey"
     from evidence where sms_event_id = any($1::uuid[]) and merchant_id = $2`,
);

/** The evidence of these texts, locked. */
export function lockEvidence(
  tx: Transaction,
  smsEventIds: readonly string[],
  merchantId: string,
): Promise<readonly EvidenceOfPayer[]> {
  tx.enqueue(LOCK, [smsEventIds, merchantId]);
  return tx.query<EvidenceOfPayer>(EVIDENCE, [smsEventIds, merchantId]);
}

// The revision is increased, so that a concurrent re-parse does not store the former values. It is that of the match
// too: evidence with another revision than its match is never read. The match window of a closed text ends with its
// payer: after it is reopened, only a person may use it, because its payer can no longer be compared.
export const eraseEvidence = inTransaction.command(
  'erase-payers-of-evidence',
  `with erased as (
     update evidence e set payer_msisdn = given.payer, reference_key = given.reference, revision = e.revision + 1
     from unnest($1::uuid[], $2::text[], $3::text[]) as given (id, payer, reference) where e.sms_event_id = given.id
     returning e.sms_event_id, e.revision, e.state)
   update matches m set revision = erased.revision,
     window_ended_at = case erased.state when 'CLOSED' then coalesce(m.window_ended_at, now()) else m.window_ended_at end
     from erased where m.sms_event_id = erased.sms_event_id`,
  (remaining: readonly EvidenceOfPayer[]) => arraysOf(remaining, 'smsEventId', 'payerMsisdn', 'referenceKey'),
);

/** The expected payers of those of the intents that have ended. */
export const eraseExpectedPayers = inTransaction.command<[ids: readonly string[], merchantId: string]>(
  'erase-payers-of-intents',
  `update intents set expected_sender_msisdn = null
    where id = any($1::uuid[]) and merchant_id = $2 and expected_sender_msisdn is not null
      and status not in ('PENDING', 'REVIEW_REQUIRED')`,
);

export const openIntents = inTransaction
  .mapped(({ id }: { readonly id: string }) => id)
  .rows<[ids: readonly string[], merchantId: string]>(
    'open-intents-of-payers',
    `select id from intents where id = any($1::uuid[]) and merchant_id = $2 and status in ('PENDING', 'REVIEW_REQUIRED')`,
  );
