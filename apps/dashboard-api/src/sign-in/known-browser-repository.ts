import { oldRowsInOrder, statement, type OldRows, type Queryable, type Transaction } from '@pay/persistence';

/** So long after its last log-in a browser is a known one. */
export const KNOWN_BROWSER_DAYS = 180;
const MOST_PER_USER = 20;

const IS_KNOWN = statement(
  'known-browser-find',
  `select from known_browsers b join users u on u.id = b.user_id where b.token_hash = $1 and u.email = $2 and b.expires_at > $3`,
);
const REMEMBER = statement(
  'known-browser-remember',
  `insert into known_browsers (token_hash, user_id, created_at, used_at, expires_at) values ($1, $2, $3, $3, $4)
   on conflict (token_hash) do update set used_at = excluded.used_at, expires_at = excluded.expires_at
    where known_browsers.user_id = excluded.user_id`,
);
const FORGET_OLDEST = statement(
  'known-browsers-forget-oldest',
  `delete from known_browsers where token_hash in
     (select token_hash from known_browsers where user_id = $1 order by used_at desc offset $2)`,
);
const FORGET = statement(
  'known-browsers-forget',
  'delete from known_browsers where user_id = $1 and token_hash is distinct from $2',
);

/** Whether the person of this address has logged in with that browser. */
export async function isKnownBrowser(db: Queryable, tokenHash: string, email: string, now: Date): Promise<boolean> {
  return (await db.query(IS_KNOWN, [tokenHash, email, now])).length > 0;
}

export async function rememberBrowser(
  tx: Transaction,
  { tokenHash, userId, now, expiresAt }: { tokenHash: string; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.execute(REMEMBER, [tokenHash, userId, now, expiresAt]);
  await tx.execute(FORGET_OLDEST, [userId, MOST_PER_USER]);
}

/** All of a person but the one to keep. How many there were. */
export function forgetBrowsers(tx: Transaction, userId: string, keep: string | null): Promise<number> {
  return tx.execute(FORGET, [userId, keep]);
}

export function expiredBrowsers(now: Date): OldRows {
  return oldRowsInOrder({ table: 'known_browsers', order: 'expires_at', orderType: 'timestamptz', before: now });
}
