import { statement, type Transaction } from '@pay/persistence';
import type { Match } from '../domain/working-set';
import { changingAll } from '../db/changing-all';
import { columnsOf } from './columns';

const TYPES = {
  id: 'uuid',
  merchant_id: 'uuid',
  environment: 'text',
  sms_event_id: 'uuid',
  payment_intent_id: 'uuid',
  path: 'text',
  status: 'text',
  reason: 'text',
  checks: 'jsonb',
  paid_in_time: 'boolean',
  expected_amount: 'bigint',
  received_amount: 'bigint',
  candidates: 'jsonb',
  doubts: 'jsonb',
  sms_sequence: 'integer',
  facts_sequence: 'integer',
  facts_epoch: 'integer',
  revision: 'integer',
  created_at: 'timestamptz',
  window_ended_at: 'timestamptz',
  resolved_at: 'timestamptz',
  decided_by: 'text',
  resolution_note: 'text',
};
export const MATCH_COLUMNS = columnsOf(TYPES).names;
const WRITTEN = columnsOf({ ...TYPES, pays_intent_id: 'uuid', pays_sms_event_id: 'uuid' });

const INSERT = statement(
  'insert-matches',
  `insert into matches (${WRITTEN.names})
   select ${WRITTEN.names} from jsonb_to_recordset($1::jsonb) as given (${WRITTEN.typed})`,
);

export function insertMatches(tx: Transaction, matches: readonly Match[]): void {
  if (matches.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(matches.map(fromMatch))]);
}

const UPDATE = statement(
  'update-matches',
  changingAll(
    'matches',
    `update matches m set ${WRITTEN.setAllBut('id', 'merchant_id', 'environment', 'sms_event_id', 'created_at')}
     from jsonb_to_recordset($2::jsonb) as given (was_sms_sequence integer, ${WRITTEN.typed})
     where m.id = any(array[given.id]) and m.sms_sequence = given.was_sms_sequence`,
  ),
);

/** Guarded by what the decision was made over. */
export function updateMatches(
  tx: Transaction,
  changes: readonly { readonly before: Match; readonly after: Match }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({ ...fromMatch(after), was_sms_sequence: before.smsSequence }));
  tx.enqueue(UPDATE, [rows.map(({ id }) => id), JSON.stringify(rows)]);
}

function fromMatch(match: Match) {
  const pays = match.status === 'MATCHED' || match.status === 'MANUALLY_RESOLVED';
  return {
    id: match.id,
    merchant_id: match.tenant.merchantId,
    environment: match.tenant.environment,
    sms_event_id: match.smsEventId,
    payment_intent_id: match.intentId ?? null,
    path: match.path ?? null,
    status: match.status,
    reason: match.reason,
    checks: match.checks ?? null,
    paid_in_time: match.paidInTime ?? null,
    expected_amount: match.expectedAmount?.toString() ?? null,
    received_amount: match.receivedAmount?.toString() ?? null,
    candidates: match.candidates,
    doubts: match.doubts,
    sms_sequence: match.smsSequence,
    facts_sequence: match.factsSequence,
    facts_epoch: match.factsEpoch ?? null,
    revision: match.revision,
    created_at: match.createdAt,
    window_ended_at: match.windowEndedAt ?? null,
    resolved_at: match.resolvedAt ?? null,
    decided_by: match.decidedBy,
    resolution_note: match.resolutionNote ?? null,
    pays_intent_id: pays ? (match.intentId ?? null) : null,
    pays_sms_event_id: pays ? match.smsEventId : null,
  };
}
