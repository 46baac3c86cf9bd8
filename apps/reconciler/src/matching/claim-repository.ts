import { claimOutcomeSchema } from '@pay/contracts';
import { oldRowsInOrder, statement, type OldRows, type Transaction } from '@pay/persistence';
import type { Claim, ClaimSource } from '../domain/facts';
import { changingAll } from '../db/changing-all';
import { columnsOf } from './columns';
import { tenantArrays, type TenantName } from './tenant-arrays';
import { toTenant, type TenantRow } from '../db/tenant-row';

interface ClaimRow extends TenantRow {
  readonly id: string;
  readonly payment_intent_id: string;
  readonly trx_id: string;
  readonly submitted_at: Date;
  readonly resubmitted_at: Date | null;
  readonly payer_digits: string | null;
  readonly source: ClaimSource;
  readonly state: Claim['state'];
  readonly outcome: string;
  readonly reason: string;
  readonly sms_event_id: string | null;
  readonly sequence: number;
}

const COLUMNS = columnsOf({
  id: 'uuid',
  merchant_id: 'uuid',
  environment: 'text',
  payment_intent_id: 'uuid',
  trx_id: 'text',
  submitted_at: 'timestamptz',
  resubmitted_at: 'timestamptz',
  payer_digits: 'text',
  source: 'text',
  state: 'text',
  outcome: 'text',
  reason: 'text',
  sms_event_id: 'uuid',
  sequence: 'integer',
});

/** Claims that arrived before their intent. No honest customer makes more for one intent. */
const MOST_PER_INTENT = 50;

const LOCK = statement(
  'lock-claims',
  `select locked.* from (
     select unnest($1::uuid[]) as id
     union
     select found.id
     from unnest($2::uuid[], $3::text[], $4::text[]) as named (merchant_id, environment, trx_id)
     cross join lateral (
       select c.id from claims c
       where c.merchant_id = named.merchant_id and c.environment = named.environment and c.trx_id = named.trx_id
         and c.state = 'OPEN'
       offset 0) found
     union
     select found.id
     from unnest($5::uuid[]) as arrived (intent_id)
     cross join lateral (
       select c.id from claims c
       where c.payment_intent_id = arrived.intent_id and c.state = 'OPEN'
       order by c.submitted_at limit ${MOST_PER_INTENT}) found
     order by id) as wanted
   cross join lateral (select ${COLUMNS.names} from claims c where c.id = wanted.id for update) as locked`,
);

export interface WantedClaims {
  readonly ids: readonly string[];
  /** Open claims of these. */
  readonly trxIds: readonly TenantName[];
  /** Open claims for these, the oldest of them when there are very many. */
  readonly intentIds: readonly string[];
}

export async function lockClaims(tx: Transaction, { ids, trxIds, intentIds }: WantedClaims): Promise<Claim[]> {
  if (ids.length + trxIds.length + intentIds.length === 0) return [];
  return (await tx.query<ClaimRow>(LOCK, [ids, ...tenantArrays(trxIds), intentIds])).map(toClaim);
}

function toClaim(row: ClaimRow): Claim {
  return {
    id: row.id,
    tenant: toTenant(row),
    intentId: row.payment_intent_id,
    trxId: row.trx_id,
    submittedAt: row.submitted_at,
    resubmittedAt: row.resubmitted_at ?? undefined,
    payerDigits: row.payer_digits ?? undefined,
    source: row.source,
    state: row.state,
    outcome: claimOutcomeSchema.parse(row.outcome),
    reason: row.reason,
    smsEventId: row.sms_event_id ?? undefined,
    sequence: row.sequence,
  };
}

const INSERT = statement(
  'insert-claims',
  `insert into claims (${COLUMNS.names})
   select ${COLUMNS.names} from jsonb_to_recordset($1::jsonb) as given (${COLUMNS.typed})`,
);

export function insertClaims(tx: Transaction, claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(claims.map(fromClaim))]);
}

function fromClaim(claim: Claim) {
  return {
    id: claim.id,
    merchant_id: claim.tenant.merchantId,
    environment: claim.tenant.environment,
    payment_intent_id: claim.intentId,
    trx_id: claim.trxId,
    submitted_at: claim.submittedAt,
    resubmitted_at: claim.resubmittedAt ?? null,
    payer_digits: claim.payerDigits ?? null,
    source: claim.source,
    state: claim.state,
    outcome: claim.outcome,
    reason: claim.reason,
    sms_event_id: claim.smsEventId ?? null,
    sequence: claim.sequence,
  };
}

// The guard is not `= 'OPEN'`: a plan that is made while there are few open claims, and kept, would look through all of
// them.
const UPDATE = statement(
  'update-claims',
  changingAll(
    'claims',
    `update claims c set ${COLUMNS.setAllBut('id', 'merchant_id', 'environment', 'payment_intent_id', 'trx_id', 'source')}
     from jsonb_to_recordset($2::jsonb) as given (was_state text, was_sequence integer, ${COLUMNS.typed})
     where c.id = any(array[given.id]) and c.state = given.was_state and c.sequence = given.was_sequence`,
  ),
);

/** Updates a row only if it still has the values that the decision was made from. */
export function updateClaims(
  tx: Transaction,
  changes: readonly { readonly before: Claim; readonly after: Claim }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({
    ...fromClaim(after),
    was_state: before.state,
    was_sequence: before.sequence,
  }));
  tx.enqueue(UPDATE, [rows.map(({ id }) => id), JSON.stringify(rows)]);
}

/** Claims whose first submission is older. One that is being decided is left to a later sweep. */
export function oldClaims(before: Date): OldRows {
  return oldRowsInOrder({ table: 'claims', order: 'submitted_at', orderType: 'timestamptz', before });
}
