import { claimOutcomeSchema } from '@pay/contracts';
import { command, enqueuedRows, oldRowsInOrder, statement, type OldRows, type Transaction } from '@pay/persistence';
import type { Claim } from '../domain/facts';
import type { Change } from '../domain/working-set';
import { enqueuedChanges } from '../db/enqueued-changes';
import { columnsOf, type RowOf } from './columns';
import { newestOpenClaims } from './newest-claims';
import { tenantArrays, type TenantName } from './tenant-arrays';

const COLUMNS = columnsOf<Claim>(
  {
    id: 'uuid',
    intentId: 'uuid',
    trxId: 'text',
    submittedAt: 'timestamptz',
    resubmittedAt: 'timestamptz',
    payerDigits: 'text',
    source: 'text',
    state: 'text',
    outcome: 'text',
    reason: 'text',
    smsEventId: 'uuid',
    sequence: 'integer',
    submissions: 'integer',
  },
  { intentId: 'payment_intent_id' },
);

/** Limit of claims that are read for one intent; no honest customer submits more. */
const MOST_PER_INTENT = 50;

const LOCK = statement(
  'lock-claims',
  `select locked.* from (
     select unnest($1::uuid[]) as id
     union
     select found.id
     from unnest($2::uuid[], $3::text[], $4::text[]) as named (merchant_id, environment, trx_id)
     cross join lateral (${newestOpenClaims('named')}) found
     union
     select found.id
     from unnest($5::uuid[]) as arrived (intent_id)
     cross join lateral (
       select c.id from claims c
       where c.payment_intent_id = arrived.intent_id and c.state = 'OPEN'
       order by c.submitted_at limit ${MOST_PER_INTENT}) found
     union
     select found.id
     from unnest($6::uuid[]) as claimed (intent_id)
     cross join lateral (
       select c.id from claims c
       where c.payment_intent_id = claimed.intent_id and c.state = 'OPEN' and c.sms_event_id is null
       order by c.submitted_at limit ${MOST_PER_INTENT}) found
     order by id) as wanted
   cross join lateral (select ${COLUMNS.selectedFrom('c')} from claims c where c.id = wanted.id for update) as locked`,
);

export interface WantedClaims {
  readonly ids: readonly string[];
  /** Open claims of these, the newest of them when there are very many. */
  readonly trxIds: readonly TenantName[];
  /** Open claims for these, the oldest of them when there are very many. */
  readonly intentIds: readonly string[];
  /** Open claims without a text for these. */
  readonly unseenOf: readonly string[];
}

export async function lockClaims(
  tx: Transaction,
  { ids, trxIds, intentIds, unseenOf }: WantedClaims,
): Promise<Claim[]> {
  if (ids.length + trxIds.length + intentIds.length + unseenOf.length === 0) return [];
  return (await tx.query<RowOf<Claim>>(LOCK, [ids, ...tenantArrays(trxIds), intentIds, unseenOf])).map(toClaim);
}

function toClaim(row: RowOf<Claim>): Claim {
  claimOutcomeSchema.parse(row.outcome);
  return COLUMNS.toFact(row);
}

export const insertClaims = enqueuedRows('insert-claims', COLUMNS.insertInto('claims'), (claims: readonly Claim[]) => [
  JSON.stringify(claims.map(COLUMNS.toJson)),
]);

/** Updates a row only if it still has the values that the decision was made from. */
export const updateClaims = enqueuedChanges<Change<Claim>>(
  'update-claims',
  'claims',
  // The guard is not `= 'OPEN'`: a cached plan from a time with few open claims would scan all of them.
  `update claims c set ${COLUMNS.setAllBut('id', 'intentId', 'trxId', 'source')}
   from jsonb_to_recordset($2::jsonb) as given (was_state text, was_sequence integer, ${COLUMNS.typed})
   where c.id = any(array[given.id]) and c.state = given.was_state and c.sequence = given.was_sequence`,
  ({ after }) => after.id,
  ({ before, after }) => ({ ...COLUMNS.toJson(after), was_state: before.state, was_sequence: before.sequence }),
);

// The indexed expression; it differs from `state = 'OPEN'`, so that no other statement uses this index.
const OPEN_SINCE = `(case when c.state = 'OPEN' then coalesce(c.resubmitted_at, c.submitted_at) end)`;

/**
 * Settles open claims without a text, of ended intents, that were last submitted before the match window; returns their
 * number. Claims with one stay open, so that a text in review is never decided by a later claim alone.
 */
export const settleLapsedClaims = command<[matchWindowMs: number, limit: number]>(
  'settle-lapsed-claims',
  // Their answers stay as they are, so nothing is published. Claims that are being decided are settled in a later
  // sweep.
  `with lapsed as (
     select c.id from claims c cross join lateral (
       select i.status from intents i where i.id = c.payment_intent_id offset 0) intent
     where ${OPEN_SINCE} < now() - $1::bigint * interval '1 millisecond' and c.sms_event_id is null
       and intent.status not in ('PENDING', 'REVIEW_REQUIRED')
     order by ${OPEN_SINCE} limit $2 for update of c skip locked)
   update claims c set state = 'SETTLED' from lapsed where c.id = any(array[lapsed.id])`,
);

/** Claims whose first submission is older. Claims that are being decided are deleted in a later sweep. */
export function oldClaims(before: Date): OldRows {
  return oldRowsInOrder({ table: 'claims', order: 'submitted_at', orderType: 'timestamptz', before });
}
