import { FIRST_ID, statement, type Transaction } from '@pay/persistence';

/** UNDERSTOOD: all but UNPARSED. UNPARSED: those, and what has been one until it was read again. */
export type DeletionScope = 'UNDERSTOOD' | 'UNPARSED';

const DONE_UNTIL = statement('sms-texts-deleted-until', 'select done_until from sms_text_deletions where scope = $1');
const NOTE_DONE = statement(
  'note-sms-texts-deleted',
  `insert into sms_text_deletions (scope, done_until) values ($1, $2)
   on conflict (scope) do update set done_until = greatest(sms_text_deletions.done_until, excluded.done_until)`,
);

// Ids are in order of arrival, so each page is read from the primary key and begins after the last one.
const DELETE = statement(
  'delete-sms-texts',
  `with page as (
     select id, status, sealed_text is not null as is_there from sms_events
     where id > $1 and id < $2 order by id limit $3
   ), deleted as (
     update sms_events as event set sealed_text = null
     from page where event.id = page.id and page.is_there and ((page.status = 'UNPARSED') = ($4 = 'UNPARSED') or $5)
     returning event.id
   )
   select (select count(*)::integer from page) as seen, (select count(*)::integer from deleted) as deleted,
          (select id from page order by id desc limit 1) as last`,
);

export interface TextDeletion {
  readonly scope: DeletionScope;
  /** Of what arrived before this id. */
  readonly before: string;
  /** Includes texts of any status. */
  readonly all: boolean;
  /** Rows that are looked at. */
  readonly limit: number;
}

/**
 * Deletes the texts of one page and notes how far that went; the facts and fingerprints stay. Whether there may be
 * more.
 */
export async function deleteTexts(
  tx: Transaction,
  { scope, before, all, limit }: TextDeletion,
): Promise<{ readonly deleted: number; readonly isDone: boolean }> {
  const [done] = await tx.query<{ done_until: string }>(DONE_UNTIL, [scope]);
  const after = done?.done_until ?? FIRST_ID;
  const [page] = await tx.query<{ seen: number; deleted: number; last: string | null }>(DELETE, [
    after,
    before,
    limit,
    scope,
    all,
  ]);
  if (page === undefined || page.last === null) return { deleted: 0, isDone: true };
  await tx.execute(NOTE_DONE, [scope, page.last]);
  return { deleted: page.deleted, isDone: page.seen < limit };
}
