import { intentSnapshotSchema, type ClaimOutcome, type Environment, type IntentSnapshot } from '@pay/contracts';
import { mapped, oldRowsById, statement, type OldRows, type Transaction } from '@pay/persistence';
import { newestOfEach, type Checkout, type IntentCopy } from '../domain/intent-copy';

interface CopyRow {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly epoch: number | null;
  readonly intent: unknown;
  readonly paid_trx_id: string | null;
  readonly claim_outcomes: ClaimOutcome[];
}

/** In any order. */
export const findCheckouts = mapped(toCheckout).rows<[ids: readonly string[]]>(
  'find-checkouts',
  // At most one index look-up per table and id.
  `select merchant_id, environment, sequence, epoch, intent, paid_trx_id,
     array(select distinct coalesce(outcome, 'waiting') from claims where claims.intent_id = copy.id) as claim_outcomes
   from intent_copies as copy where id = any($1::uuid[])`,
);

function toCheckout(row: CopyRow): Checkout {
  return { copy: copyOf(row), claimOutcomes: row.claim_outcomes };
}

function copyOf(row: CopyRow): IntentCopy {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    sequence: row.sequence,
    epoch: row.epoch,
    intent: intentSnapshotSchema.parse(row.intent),
    paidTrxId: row.paid_trx_id,
  };
}

// In id order, so that two batches wait for each other instead of deadlocking. An equal sequence only adds a missing
// TrxID, because the previous version of intent-api responds without it.
const STORE = statement(
  'store-intent-copies',
  `with given as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::int[], $7::text[])
       as given (id, merchant_id, environment, sequence, intent, epoch, paid_trx_id)),
   stored as (
     insert into intent_copies as copy (id, merchant_id, environment, sequence, intent, epoch, paid_trx_id)
     select id, merchant_id, environment, sequence, intent::jsonb, epoch, paid_trx_id from given order by id
     on conflict (id) do update set sequence = excluded.sequence, intent = excluded.intent,
       paid_trx_id = coalesce(excluded.paid_trx_id, copy.paid_trx_id),
       epoch = greatest(copy.epoch, excluded.epoch)
     where case when copy.epoch <> excluded.epoch then copy.epoch < excluded.epoch
       when copy.sequence = excluded.sequence then copy.paid_trx_id is null and excluded.paid_trx_id is not null
         and (copy.intent ->> 'status', copy.intent ->> 'amount', copy.intent ->> 'receiverMsisdn')
         is not distinct from (excluded.intent ->> 'status', excluded.intent ->> 'amount', excluded.intent ->> 'receiverMsisdn')
       else copy.sequence < excluded.sequence end
     returning id)
   select id, null::integer as epoch, null::integer as sequence from stored
   union all
   select given.id, given.epoch, given.sequence from given
   cross join lateral (
     select copy.intent from intent_copies as copy
     where copy.id = given.id and copy.sequence = given.sequence and copy.epoch is not distinct from given.epoch
     offset 0) as known
   where given.id not in (select id from stored)
     and (known.intent ->> 'status', known.intent ->> 'amount', known.intent ->> 'receiverMsisdn')
     is distinct from (given.intent::jsonb ->> 'status', given.intent::jsonb ->> 'amount', given.intent::jsonb ->> 'receiverMsisdn')`,
);

/** Customers never see the payer, so copies do not contain it. */
function withoutPayer(intent: IntentSnapshot): IntentSnapshot {
  return { ...intent, expectedSenderMsisdn: null, customerId: null };
}

/** Epoch and sequence equal those of the stored copy, but the content differs. */
export interface IntentConflict {
  readonly id: string;
  readonly epoch: number | null;
  readonly sequence: number;
}

/** `sequence` is null in stored rows. */
interface StoredRow {
  readonly id: string;
  readonly epoch: number | null;
  readonly sequence: number | null;
}

/** Older copies are ignored. Stored ones are reported after COMMIT. */
export function storeCopies(
  tx: Transaction,
  given: readonly IntentCopy[],
  onCommit: (stored: IntentCopy[]) => void,
  onConflict: (conflict: IntentConflict) => void,
): void {
  const copies = newestOfEach(given);
  if (copies.length === 0) return;
  const columns = [
    copies.map(({ intent }) => intent.id),
    copies.map(({ merchantId }) => merchantId),
    copies.map(({ environment }) => environment),
    copies.map(({ sequence }) => sequence),
    copies.map(({ intent }) => JSON.stringify(withoutPayer(intent))),
    copies.map(({ epoch }) => epoch ?? null),
    copies.map(({ paidTrxId }) => paidTrxId ?? null),
  ];
  tx.enqueue<StoredRow>(STORE, columns, (rows) => {
    const newer = new Set(rows.filter(({ sequence }) => sequence === null).map(({ id }) => id));
    for (const { id, epoch, sequence } of rows) if (sequence !== null) onConflict({ id, epoch, sequence });
    onCommit(copies.filter((copy) => newer.has(copy.intent.id)));
  });
}

/** Deletes only copies of ended intents. A later view fetches the intent from intent-api. */
export function oldCopies(before: Date): OldRows {
  return oldRowsById('intent_copies', before, {
    deletable: `old.intent ->> 'status' not in ('PENDING', 'REVIEW_REQUIRED')
      and not exists (select from claims where claims.intent_id = old.id and claims.state <> 'settled')`,
  });
}
