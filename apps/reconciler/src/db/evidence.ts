import type { Environment } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';
import type { WindowArrival } from '../domain/arrivals';
import type { Evidence } from '../domain/facts';

const COLUMNS = `sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount,
  receiver_account_id, receiver_msisdn, provider_time, ingested_at, state`;

const INSERT = statement(
  'insert-evidence',
  `insert into evidence (${COLUMNS})
   select ${COLUMNS} from jsonb_to_recordset($1::jsonb) as given (
     sms_event_id uuid, merchant_id uuid, environment text, provider text, method text, trx_id text, reference_key text,
     amount bigint, receiver_account_id uuid, receiver_msisdn text, provider_time timestamptz, ingested_at timestamptz,
     state text)`,
);

export function insertEvidence(tx: Transaction, evidence: readonly Evidence[]): void {
  if (evidence.length === 0) return;
  const rows = evidence.map((each) => ({
    sms_event_id: each.smsEventId,
    merchant_id: each.tenant.merchantId,
    environment: each.tenant.environment,
    provider: each.provider,
    method: each.method,
    trx_id: each.trxId,
    reference_key: each.referenceKey ?? null,
    amount: each.amount.toString(),
    receiver_account_id: each.receiverAccountId ?? null,
    receiver_msisdn: each.receiverMsisdn ?? null,
    provider_time: each.providerTime,
    ingested_at: each.ingestedAt,
    state: each.state,
  }));
  tx.enqueue(INSERT, [JSON.stringify(rows)]);
}

const UPDATE = statement(
  'update-evidence',
  `update evidence e set state = given.state
   from unnest($1::uuid[], $2::text[]) as given (sms_event_id, state)
   where e.sms_event_id = any($1::uuid[]) and e.sms_event_id = given.sms_event_id`,
);

/** Guarded by its match, which is written in the same transaction. */
export function updateEvidence(tx: Transaction, changes: readonly { readonly after: Evidence }[]): void {
  if (changes.length === 0) return;
  const after = changes.map((change) => change.after);
  tx.enqueue(UPDATE, [after.map(({ smsEventId }) => smsEventId), after.map(({ state }) => state)]);
}

const OVERDUE = `select sms_event_id, merchant_id, environment from evidence
   where state = 'WAITING' and ingested_at < now() - $1::bigint * interval '1 millisecond'
   order by ingested_at limit $2`;

/** Evidence that has waited longer than the match window, by the database's clock. */
export async function findPastWindow(db: Queryable, matchWindowMs: number, limit: number): Promise<WindowArrival[]> {
  const rows = await db.query<{ sms_event_id: string; merchant_id: string; environment: Environment }>(OVERDUE, [
    matchWindowMs,
    limit,
  ]);
  return rows.map((row) => ({
    kind: 'window',
    tenant: { merchantId: row.merchant_id, environment: row.environment },
    smsEventId: row.sms_event_id,
  }));
}
