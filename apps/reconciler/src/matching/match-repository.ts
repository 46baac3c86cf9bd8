import { statement, type Transaction } from '@pay/persistence';
import type { Match } from '../domain/working-set';
import { changingAll } from '../db/changing-all';
import { columnsOf } from './columns';

const TYPES = {
  id: 'uuid',
  smsEventId: 'uuid',
  intentId: 'uuid',
  path: 'text',
  status: 'text',
  reason: 'text',
  checks: 'jsonb',
  paidInTime: 'boolean',
  expectedAmount: 'bigint',
  receivedAmount: 'bigint',
  candidates: 'jsonb',
  doubts: 'jsonb',
  smsSequence: 'integer',
  factsSequence: 'integer',
  factsEpoch: 'integer',
  revision: 'integer',
  createdAt: 'timestamptz',
  windowEndedAt: 'timestamptz',
  resolvedAt: 'timestamptz',
  decidedBy: 'text',
  resolutionNote: 'text',
};
const RENAMED = { intentId: 'payment_intent_id' };
export const MATCH_COLUMNS = columnsOf<Match>(TYPES, RENAMED);

/** Each match pays a unique intent. */
interface WrittenMatch extends Match {
  readonly paysIntentId: string | undefined;
  readonly paysSmsEventId: string | undefined;
}
const WRITTEN = columnsOf<WrittenMatch>({ ...TYPES, paysIntentId: 'uuid', paysSmsEventId: 'uuid' }, RENAMED);

const INSERT = statement('insert-matches', WRITTEN.insertInto('matches'));

export function insertMatches(tx: Transaction, matches: readonly Match[]): void {
  if (matches.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(matches.map(fromMatch))]);
}

const UPDATE = statement(
  'update-matches',
  changingAll(
    'matches',
    `update matches m set ${WRITTEN.setAllBut('id', 'smsEventId', 'createdAt')}
     from jsonb_to_recordset($2::jsonb) as given (was_sms_sequence integer, ${WRITTEN.typed})
     where m.id = any(array[given.id]) and m.sms_sequence = given.was_sms_sequence`,
  ),
);

/** Guarded by the values that the decision was based on. */
export function updateMatches(
  tx: Transaction,
  changes: readonly { readonly before: Match; readonly after: Match }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({ ...fromMatch(after), was_sms_sequence: before.smsSequence }));
  tx.enqueue(UPDATE, [changes.map(({ after }) => after.id), JSON.stringify(rows)]);
}

function fromMatch(match: Match) {
  const pays = match.status === 'MATCHED' || match.status === 'MANUALLY_RESOLVED';
  return WRITTEN.toJson({
    ...match,
    paysIntentId: pays ? match.intentId : undefined,
    paysSmsEventId: pays ? match.smsEventId : undefined,
  });
}
