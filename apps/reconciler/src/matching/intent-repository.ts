import { arraysOf, enqueuedRows, mapped, statement, type Transaction } from '@pay/persistence';
import type { Intent } from '../domain/facts';
import type { Change } from '../domain/working-set';
import { enqueuedChanges } from '../db/enqueued-changes';
import { columnsOf, type RowOf } from './columns';
import { newestOpenClaims } from './newest-claims';
import { tenantArrays, type TenantName } from './tenant-arrays';

const COLUMNS = columnsOf<Omit<Intent, 'decidedBy'>>({
  id: 'uuid',
  referenceKey: 'text',
  amount: 'bigint',
  status: 'text',
  shownReceivers: 'jsonb',
  expectedTrxId: 'text',
  expectedSenderMsisdn: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  sourceSequence: 'integer',
  sourceEpoch: 'integer',
  decisionSequence: 'integer',
  rejectedAt: 'timestamptz',
});
type IntentRow = RowOf<Omit<Intent, 'decidedBy'>>;

// Ids are found first by index, then rows are locked in id order. The look-ups are subqueries that cannot become joins,
// because a cached plan from small tables would scan large ones.
const LOCK = statement(
  'lock-intents',
  `select locked.* from (
     select unnest($1::uuid[]) as id
     union
     select found.id
     from unnest($2::uuid[], $3::text[], $4::text[]) as named (merchant_id, environment, reference_key)
     cross join lateral (
       select i.id from intents i
       where i.merchant_id = named.merchant_id and i.environment = named.environment
         and i.reference_key = named.reference_key
       offset 0) found
     union
     select found.payment_intent_id
     from unnest($5::uuid[], $6::text[], $7::text[]) as claimed (merchant_id, environment, trx_id)
     cross join lateral (${newestOpenClaims('claimed')}) found
     order by id) as wanted
   cross join lateral (select ${COLUMNS.selectedFrom('i')} from intents i where i.id = wanted.id for update) as locked`,
);

export interface WantedIntents {
  readonly ids: readonly string[];
  /** Those that these name. */
  readonly references: readonly TenantName[];
  /** Those that these are claimed for, by the newest claims when there are very many. */
  readonly claimedBy: readonly TenantName[];
}

export async function lockIntents(tx: Transaction, { ids, references, claimedBy }: WantedIntents): Promise<Intent[]> {
  if (ids.length + references.length + claimedBy.length === 0) return [];
  const values = [ids, ...tenantArrays(references), ...tenantArrays(claimedBy)];
  return (await tx.query<IntentRow>(LOCK, values)).map(COLUMNS.toFact);
}

export const findIntent = mapped(COLUMNS.toFact).firstRow<[id: string]>(
  'find-intent',
  `select ${COLUMNS.selectedFrom('i')} from intents i where id = $1`,
);

export const insertIntents = enqueuedRows(
  'insert-intents',
  COLUMNS.insertInto('intents', 'json'),
  (intents: readonly Intent[]) => [JSON.stringify(intents.map(COLUMNS.toJson))],
);

const changeIntents = enqueuedChanges<Change<Intent>>(
  'update-intents',
  'intents',
  `update intents i set status = given.status, decision_sequence = given.decision_sequence,
     decided_by = case when given.status = given.was_status then i.decided_by else given.decided_by end,
     shown_receivers = given.shown_receivers, source_sequence = given.source_sequence,
     source_epoch = given.source_epoch, rejected_at = given.rejected_at
   from jsonb_to_recordset($2::jsonb) as given (
     id uuid, was_status text, was_decision_sequence integer,
     status text, decision_sequence integer, decided_by text, shown_receivers jsonb, source_sequence integer, source_epoch integer,
     rejected_at timestamptz)
   where i.id = any(array[given.id])
     and i.status = given.was_status and i.decision_sequence = given.was_decision_sequence`,
  ({ after }) => after.id,
  ({ before, after }) => ({
    id: after.id,
    was_status: before.status,
    was_decision_sequence: before.decisionSequence,
    status: after.status,
    decision_sequence: after.decisionSequence,
    decided_by: after.decidedBy ?? 'system',
    shown_receivers: after.shownReceivers,
    source_sequence: after.sourceSequence,
    source_epoch: after.sourceEpoch,
    rejected_at: after.rejectedAt,
  }),
);

const moveExpiry = enqueuedRows(
  'move-expiry-of-intents',
  `update intents i set expires_at = given.expires_at from unnest($1::uuid[], $2::timestamptz[]) as given (id, expires_at)
   where i.id = any(array[given.id])`,
  (intents: readonly Intent[]) => arraysOf(intents, 'id', 'expiresAt'),
);

/** Guarded by the values that the decision was based on. */
export function updateIntents(tx: Transaction, changes: readonly Change<Intent>[]): void {
  changeIntents(tx, changes);
  moveExpiry(
    tx,
    changes.flatMap(({ before, after }) => (before.expiresAt.getTime() === after.expiresAt.getTime() ? [] : [after])),
  );
}
