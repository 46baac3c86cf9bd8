import type { Tenant } from '@pay/contracts';
import {
  arraysOf,
  enqueuedRows,
  oldRowsInOrder,
  type OldRows,
  type Queryable,
  type Transaction,
} from '@pay/persistence';
import type { WindowArrival } from '../domain/arrivals';
import type { EarlySignals, Evidence } from '../domain/facts';
import type { Change } from '../domain/working-set';
import { enqueuedChanges } from '../db/enqueued-changes';
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

export const insertEvidence = enqueuedRows(
  'insert-evidence',
  WRITTEN.insertInto('evidence'),
  (evidence: readonly Evidence[]) => [JSON.stringify(evidence.map(WRITTEN.toJson))],
);

const updateStates = enqueuedRows(
  'update-evidence',
  `update evidence e set state = given.state
   from unnest($1::uuid[], $2::text[]) as given (sms_event_id, state)
   where e.sms_event_id = any(array[given.sms_event_id])`,
  (evidence: readonly Evidence[]) => arraysOf(evidence, 'smsEventId', 'state'),
);

const replaceEvidence = enqueuedChanges<Change<Evidence>>(
  'replace-evidence',
  'evidence',
  `update evidence e set ${WRITTEN.setAllBut('smsEventId', 'ingestedAt')}
   from jsonb_to_recordset($2::jsonb) as given (was_revision integer, ${WRITTEN.typed})
   where e.sms_event_id = any(array[given."smsEventId"]) and e.revision = given.was_revision`,
  ({ after }) => after.smsEventId,
  ({ before, after }) => ({ ...WRITTEN.toJson(after), was_revision: before.revision }),
);

/** Its state is guarded by its match, which is written in the same transaction; its facts by its revision. */
export function updateEvidence(tx: Transaction, changes: readonly Change<Evidence>[]): void {
  const isReplaced = ({ before, after }: Change<Evidence>) => before.revision !== after.revision;
  const kept = changes.filter((change) => !isReplaced(change));
  replaceEvidence(tx, changes.filter(isReplaced));
  updateStates(
    tx,
    kept.map(({ after }) => after),
  );
}

/** Texts that became duplicates after re-parsing. */
export const deleteEvidence = enqueuedRows(
  'delete-evidence',
  'delete from evidence where sms_event_id = any($1::uuid[])',
  (evidence: readonly Evidence[]) => arraysOf(evidence, 'smsEventId'),
);

/** Signals whose text is not evidence yet. */
export const keepEarlySignals = enqueuedRows(
  'keep-early-signals',
  `insert into early_signals (sms_event_id, signals, sequence, epoch)
   select sms_event_id, signals, sequence, epoch
   from jsonb_to_recordset($1::jsonb) as given (sms_event_id uuid, signals jsonb, sequence integer, epoch integer)
   on conflict (sms_event_id) do update set signals = excluded.signals, sequence = excluded.sequence,
     epoch = greatest(early_signals.epoch, excluded.epoch)
   where case when early_signals.epoch <> excluded.epoch then early_signals.epoch < excluded.epoch
     else early_signals.sequence < excluded.sequence end`,
  (early: readonly EarlySignals[]) => [
    JSON.stringify(
      early.map(({ smsEventId, signals, sequence, epoch }) => ({ sms_event_id: smsEventId, signals, sequence, epoch })),
    ),
  ],
);

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
