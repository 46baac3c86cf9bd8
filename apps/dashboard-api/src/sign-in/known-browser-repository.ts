import { command, firstRow, inTransaction, oldRowsInOrder, type OldRows, type Transaction } from '@pay/persistence';

/** How long a browser stays known after its last log-in. */
export const KNOWN_BROWSER_DAYS = 180;
const MOST_PER_USER = 20;

/** Undefined if the person has not logged in with this browser. */
export const findUserOfBrowser = firstRow<{ readonly userId: string }, [tokenHash: string, email: string, now: Date]>(
  'known-browser-find',
  `select u.id as "userId" from known_browsers b join users u on u.id = b.user_id
    where b.token_hash = $1 and u.email = $2 and b.expires_at > $3`,
);

const remember = command<[tokenHash: string, userId: string, now: Date, expiresAt: Date]>(
  'known-browser-remember',
  `insert into known_browsers (token_hash, user_id, created_at, used_at, expires_at) values ($1, $2, $3, $3, $4)
   on conflict (token_hash) do update set used_at = excluded.used_at, expires_at = excluded.expires_at
    where known_browsers.user_id = excluded.user_id`,
);
const forgetOldest = command<[userId: string, most: number]>(
  'known-browsers-forget-oldest',
  `delete from known_browsers where token_hash in
     (select token_hash from known_browsers where user_id = $1 order by used_at desc offset $2)`,
);

export async function rememberBrowser(
  tx: Transaction,
  { tokenHash, userId, now, expiresAt }: { tokenHash: string; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await remember(tx, tokenHash, userId, now, expiresAt);
  await forgetOldest(tx, userId, MOST_PER_USER);
}

/** Returns the number of forgotten browsers. */
export const forgetBrowsers = inTransaction.command<[userId: string, keep: string | null]>(
  'known-browsers-forget',
  'delete from known_browsers where user_id = $1 and token_hash is distinct from $2',
);

export function expiredBrowsers(now: Date): OldRows {
  return oldRowsInOrder({ table: 'known_browsers', order: 'expires_at', orderType: 'timestamptz', before: now });
}
