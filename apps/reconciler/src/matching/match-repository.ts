import { enqueuedRows } from '@pay/persistence';
import type { Change, Match } from '../domain/working-set';
import { enqueuedChanges } from '../db/enqueued-changes';
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

export const insertMatches = enqueuedRows(
  'insert-matches',
  WRITTEN.insertInto('matches'),
  (matches: readonly Match[]) => [JSON.stringify(matches.map(fromMatch))],
);

/** Guarded by the values that the decision was based on. */
export const updateMatches = enqueuedChanges<Change<Match>>(
  'update-matches',
  'matches',
  `update matches m set ${WRITTEN.setAllBut('id', 'smsEventId', 'createdAt')}
   from jsonb_to_recordset($2::jsonb) as given (was_sms_sequence integer, ${WRITTEN.typed})
   where m.id = any(array[given.id]) and m.sms_sequence = given.was_sms_sequence`,
  ({ after }) => after.id,
  ({ before, after }) => ({ ...fromMatch(after), was_sms_sequence: before.smsSequence }),
);

function fromMatch(match: Match) {
  const pays = match.status === 'MATCHED' || match.status === 'MANUALLY_RESOLVED';
  return WRITTEN.toJson({
    ...match,
    paysIntentId: pays ? match.intentId : undefined,
    paysSmsEventId: pays ? match.smsEventId : undefined,
  });
}
