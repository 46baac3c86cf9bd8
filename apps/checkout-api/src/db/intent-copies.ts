import { intentSnapshotSchema, type Environment } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';
import { newestOfEach, type IntentCopy } from '../domain/intent-copy';

const FIND = statement(
  'find-intent-copy',
  'select merchant_id, environment, sequence, intent from intent_copies where id = $1',
);

interface CopyRow {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly intent: unknown;
}

export async function findCopy(db: Queryable, id: string): Promise<IntentCopy | undefined> {
  const [row] = await db.query<CopyRow>(FIND, [id]);
  return row && copyOf(row);
}

function copyOf(row: CopyRow): IntentCopy {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    sequence: row.sequence,
    intent: intentSnapshotSchema.parse(row.intent),
  };
}

// In id order: two batches that share intents wait for each other instead of deadlocking.
const STORE = statement(
  'store-intent-copies',
  `insert into intent_copies as copy (id, merchant_id, environment, sequence, intent)
   select id, merchant_id, environment, sequence, intent
   from json_to_recordset($1::json) as given (id uuid, merchant_id uuid, environment text, sequence int, intent jsonb)
   order by id
   on conflict (id) do update set sequence = excluded.sequence, intent = excluded.intent
   where copy.sequence < excluded.sequence
   returning id`,
);

/** Stores what is newer than the copies that are there, and tells after COMMIT what that was. */
export function storeCopies(
  tx: Transaction,
  given: readonly IntentCopy[],
  onCommit: (stored: IntentCopy[]) => void,
): void {
  const copies = newestOfEach(given);
  if (copies.length === 0) return;
  const rows = copies.map(({ merchantId, environment, sequence, intent }) => ({
    id: intent.id,
    merchant_id: merchantId,
    environment,
    sequence,
    intent,
  }));
  tx.enqueue<{ id: string }>(STORE, [JSON.stringify(rows)], (stored) => {
    const newer = new Set(stored.map((row) => row.id));
    onCommit(copies.filter((copy) => newer.has(copy.intent.id)));
  });
}
