import type { IntentStatus, Poisha } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';
import type { Intent, ShownReceiver } from '../domain/facts';
import { changingAll } from '../db/changing-all';
import { columnsOf } from './columns';
import { tenantArrays, type TenantName } from './tenant-arrays';
import { toTenant, type TenantRow } from '../db/tenant-row';

interface IntentRow extends TenantRow {
  readonly id: string;
  readonly reference_key: string;
  readonly amount: string;
  readonly status: IntentStatus;
  readonly shown_receivers: readonly ShownReceiver[];
  readonly expected_trx_id: string | null;
  readonly expected_sender_msisdn: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly source_sequence: number;
  readonly source_epoch: number | null;
  readonly decision_sequence: number;
}

const COLUMNS = columnsOf({
  id: 'uuid',
  merchant_id: 'uuid',
  environment: 'text',
  reference_key: 'text',
  amount: 'bigint',
  status: 'text',
  shown_receivers: 'jsonb',
  expected_trx_id: 'text',
  expected_sender_msisdn: 'text',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  source_sequence: 'integer',
  source_epoch: 'integer',
  decision_sequence: 'integer',
});

// Ids are found first, each by its index, then the rows are locked one by one in the order of their ids. Lookups are
// subqueries that the planner cannot turn into joins: a plan that is made while the tables are small, and kept, would
// scan them when they are big.
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
     cross join lateral (
       select c.payment_intent_id from claims c
       where c.merchant_id = claimed.merchant_id and c.environment = claimed.environment and c.trx_id = claimed.trx_id
         and c.state = 'OPEN'
       offset 0) found
     order by id) as wanted
   cross join lateral (select ${COLUMNS.names} from intents i where i.id = wanted.id for update) as locked`,
);

export interface WantedIntents {
  readonly ids: readonly string[];
  /** Those that these name. */
  readonly references: readonly TenantName[];
  /** Those that these are claimed for. */
  readonly claimedBy: readonly TenantName[];
}

export async function lockIntents(tx: Transaction, { ids, references, claimedBy }: WantedIntents): Promise<Intent[]> {
  if (ids.length + references.length + claimedBy.length === 0) return [];
  const values = [ids, ...tenantArrays(references), ...tenantArrays(claimedBy)];
  return (await tx.query<IntentRow>(LOCK, values)).map(toIntent);
}

const FIND = statement('find-intent', `select ${COLUMNS.names} from intents where id = $1`);

export async function findIntent(db: Queryable, id: string): Promise<Intent | undefined> {
  const [row] = await db.query<IntentRow>(FIND, [id]);
  return row && toIntent(row);
}

function toIntent(row: IntentRow): Intent {
  return {
    id: row.id,
    tenant: toTenant(row),
    referenceKey: row.reference_key,
    amount: BigInt(row.amount) as Poisha,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    shownReceivers: row.shown_receivers,
    expectedTrxId: row.expected_trx_id ?? undefined,
    expectedSenderMsisdn: row.expected_sender_msisdn ?? undefined,
    sourceSequence: row.source_sequence,
    sourceEpoch: row.source_epoch ?? undefined,
    decisionSequence: row.decision_sequence,
  };
}

const INSERT = statement(
  'insert-intents',
  `insert into intents (${COLUMNS.names})
   select ${COLUMNS.names} from json_to_recordset($1::json) as given (${COLUMNS.typed})`,
);

export function insertIntents(tx: Transaction, intents: readonly Intent[]): void {
  if (intents.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(intents.map(fromIntent))]);
}

function fromIntent(intent: Intent) {
  return {
    id: intent.id,
    merchant_id: intent.tenant.merchantId,
    environment: intent.tenant.environment,
    reference_key: intent.referenceKey,
    amount: intent.amount.toString(),
    status: intent.status,
    shown_receivers: intent.shownReceivers,
    expected_trx_id: intent.expectedTrxId ?? null,
    expected_sender_msisdn: intent.expectedSenderMsisdn ?? null,
    created_at: intent.createdAt,
    expires_at: intent.expiresAt,
    source_sequence: intent.sourceSequence,
    source_epoch: intent.sourceEpoch ?? null,
    decision_sequence: intent.decisionSequence,
  };
}

const UPDATE = statement(
  'update-intents',
  changingAll(
    'intents',
    `update intents i set status = given.status, decision_sequence = given.decision_sequence,
       decided_by = case when given.status = given.was_status then i.decided_by else given.decided_by end,
       shown_receivers = given.shown_receivers, source_sequence = given.source_sequence,
       source_epoch = given.source_epoch
     from jsonb_to_recordset($2::jsonb) as given (
       id uuid, was_status text, was_decision_sequence integer,
       status text, decision_sequence integer, decided_by text, shown_receivers jsonb, source_sequence integer, source_epoch integer)
     where i.id = any(array[given.id])
       and i.status = given.was_status and i.decision_sequence = given.was_decision_sequence`,
  ),
);

const MOVE_EXPIRY = statement(
  'move-expiry-of-intents',
  `update intents i set expires_at = given.expires_at from unnest($1::uuid[], $2::timestamptz[]) as given (id, expires_at)
   where i.id = any(array[given.id])`,
);

/** Guarded by what the decision was made over. */
export function updateIntents(
  tx: Transaction,
  changes: readonly { readonly before: Intent; readonly after: Intent }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({
    id: after.id,
    was_status: before.status,
    was_decision_sequence: before.decisionSequence,
    status: after.status,
    decision_sequence: after.decisionSequence,
    decided_by: after.decidedBy ?? 'system',
    shown_receivers: after.shownReceivers,
    source_sequence: after.sourceSequence,
    source_epoch: after.sourceEpoch ?? null,
  }));
  tx.enqueue(UPDATE, [rows.map(({ id }) => id), JSON.stringify(rows)]);
  const moved = changes.filter(({ before, after }) => before.expiresAt.getTime() !== after.expiresAt.getTime());
  if (moved.length === 0) return;
  tx.enqueue(MOVE_EXPIRY, [moved.map(({ after }) => after.id), moved.map(({ after }) => after.expiresAt)]);
}
