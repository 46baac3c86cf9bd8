import type { Tenant } from '@pay/contracts';
import { oldRowsInOrder, statement, type OldRows, type Queryable, type Transaction } from '@pay/persistence';
import type { WindowArrival } from '../domain/arrivals';
import type { EarlySignals, Evidence } from '../domain/facts';
import { changingAll } from '../db/changing-all';
import { columnsOf } from './columns';

const READ_TYPES = {
  provider: 'text',
  method: 'text',
  trxId: 'text',
  referenceKey: 'text',
  amount: 'bigint',
  receiverAccountId: 'uuid',
  receiverMsisdn: 'text',
  payerMsisdn: 'text',
  providerTime: 'timestamptz',
  ingestedAt: 'timestamptz',
  authenticity: 'text',
  signals: 'jsonb',
  signalsSequence: 'integer',
  signalsEpoch: 'integer',
};
/** Values that only the evidence row contains; the others are read from its match. */
export type EvidenceAlone = Pick<Evidence, keyof typeof READ_TYPES>;
export const EVIDENCE_COLUMNS = columnsOf<EvidenceAlone>(READ_TYPES);
const WRITTEN = columnsOf<Omit<Evidence, 'factsSequence' | 'factsEpoch'>>({
  smsEventId: 'uuid',
  ...READ_TYPES,
  state: 'text',
  revision: 'integer',
});

const INSERT = statement('insert-evidence', WRITTEN.insertInto('evidence'));

export function insertEvidence(tx: Transaction, evidence: readonly Evidence[]): void {
  if (evidence.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(evidence.map(WRITTEN.toJson))]);
}

const UPDATE = statement(
  'update-evidence',
  `update evidence e set state = given.state
   from unnest($1::uuid[], $2::text[]) as given (sms_event_id, state)
   where e.sms_event_id = any(array[given.sms_event_id])`,
);

const REPLACE = statement(
  'replace-evidence',
  changingAll(
    'evidence',
    `update evidence e set ${WRITTEN.setAllBut('smsEventId', 'ingestedAt')}
     from jsonb_to_recordset($2::jsonb) as given (was_revision integer, ${WRITTEN.typed})
     where e.sms_event_id = any(array[given."smsEventId"]) and e.revision = given.was_revision`,
  ),
);

/** Its state is guarded by its match, which is written in the same transaction; its facts by its revision. */
export function updateEvidence(
  tx: Transaction,
  changes: readonly { readonly before: Evidence; readonly after: Evidence }[],
): void {
  const replaced = changes.filter(({ before, after }) => before.revision !== after.revision);
  if (replaced.length > 0) {
    const rows = replaced.map(({ before, after }) => ({ ...WRITTEN.toJson(after), was_revision: before.revision }));
    tx.enqueue(REPLACE, [replaced.map(({ after }) => after.smsEventId), JSON.stringify(rows)]);
  }
  const after = changes
    .filter(({ before, after: { revision } }) => before.revision === revision)
    .map(({ after }) => after);
  if (after.length === 0) return;
  tx.enqueue(UPDATE, [after.map(({ smsEventId }) => smsEventId), after.map(({ state }) => state)]);
}

const DELETE = statement('delete-evidence', 'delete from evidence where sms_event_id = any($1::uuid[])');

/** Texts that became duplicates after re-parsing. */
export function deleteEvidence(tx: Transaction, evidence: readonly Evidence[]): void {
  if (evidence.length > 0) tx.enqueue(DELETE, [evidence.map(({ smsEventId }) => smsEventId)]);
}

const KEEP_EARLY = statement(
  'keep-early-signals',
  `insert into early_signals (sms_event_id, signals, sequence, epoch)
   select sms_event_id, signals, sequence, epoch
   from jsonb_to_recordset($1::jsonb) as given (sms_event_id uuid, signals jsonb, sequence integer, epoch integer)
   on conflict (sms_event_id) do update set signals = excluded.signals, sequence = excluded.sequence,
     epoch = greatest(early_signals.epoch, excluded.epoch)
   where case when early_signals.epoch <> excluded.epoch then early_signals.epoch < excluded.epoch
     else early_signals.sequence < excluded.sequence end`,
);

/** Signals whose text is not evidence yet. */
export function keepEarlySignals(tx: Transaction, early: readonly EarlySignals[]): void {
  if (early.length === 0) return;
  const rows = early.map(({ smsEventId, signals, sequence, epoch }) => ({
    sms_event_id: smsEventId,
    signals,
    sequence,
    epoch: epoch ?? null,
  }));
  tx.enqueue(KEEP_EARLY, [JSON.stringify(rows)]);
}

/** Signals whose text was not evidence yet. */
export function oldEarlySignals(before: Date): OldRows {
  return oldRowsInOrder({ table: 'early_signals', order: 'stored_at', orderType: 'timestamptz', before });
}

const OVERDUE = `(select sms_event_id as "smsEventId", merchant_id as "merchantId", environment from evidence
   where state = 'WAITING' and ingested_at < now() - $1::bigint * interval '1 millisecond'
   order by ingested_at limit $2)
   union
   (select sms_event_id, merchant_id, environment from evidence
   where state = 'WAITING' and waits_until < now() order by waits_until limit $2)
   limit $2`;

/** Evidence that has waited longer than the match window, by the database's clock. */
export async function findPastWindow(db: Queryable, matchWindowMs: number, limit: number): Promise<WindowArrival[]> {
  const rows = await db.query<Tenant & { readonly smsEventId: string }>(OVERDUE, [matchWindowMs, limit]);
  return rows.map(({ smsEventId, ...tenant }) => ({ kind: 'window', tenant, smsEventId }));
}
