import { command, mapped, statement, type Queryable } from '@pay/persistence';

// Sorted by id, so that two processes with the same messages cannot deadlock.
const TAKE = statement(
  'inbox-take',
  `insert into inbox (consumer, message_id) select $1, id from unnest($2::uuid[]) as id order by id
   on conflict do nothing returning message_id`,
);

/** Records these messages as handled and returns those that are new. Takes effect with the caller's commit. */
export async function takeNew(tx: Queryable, consumer: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ message_id: string }>(TAKE, [consumer, ids]);
  return new Set(rows.map((row) => row.message_id));
}

export const leaveForLater = command<[consumer: string, ids: readonly string[]]>(
  'inbox-leave',
  'delete from inbox where consumer = $1 and message_id = any($2::uuid[])',
);

/**
 * Records the start of a suspect message outside the handler's transaction; returns how often it was started without a
 * result.
 */
export const beginAlone = mapped(({ begun }: { readonly begun: number }) => begun).onlyRow<
  [consumer: string, id: string]
>(
  'inbox-begin-alone',
  `insert into inbox_suspects (consumer, message_id, begun) values ($1, $2, 1)
   on conflict (consumer, message_id) do update set begun = inbox_suspects.begun + 1, begun_at = now()
   returning begun`,
);

/** Clears the record when a suspect message was handled, failed or was postponed, since the process survived. */
export const endAlone = command<[consumer: string, id: string]>(
  'inbox-end-alone',
  'delete from inbox_suspects where consumer = $1 and message_id = $2',
);
