import { statement, type Queryable } from '@pay/persistence';

export interface ApiKeyUse {
  readonly apiKeyId: string;
  readonly usedAt: string;
}

// Sorted, so that two batches cannot deadlock. Events arrive in any order; the newest time is kept.
const NOTE = statement(
  'api-key-uses-note',
  `insert into api_key_uses (api_key_id, used_at)
   select "apiKeyId", max("usedAt") from jsonb_to_recordset($1::jsonb) as use ("apiKeyId" uuid, "usedAt" timestamptz)
    group by "apiKeyId" order by "apiKeyId"
   on conflict (api_key_id) do update set used_at = excluded.used_at where excluded.used_at > api_key_uses.used_at`,
);
const FIND = statement(
  'api-key-uses-find',
  'select api_key_id as "apiKeyId", used_at as "usedAt" from api_key_uses where api_key_id = any ($1::uuid[])',
);

export async function noteApiKeyUses(tx: Queryable, uses: readonly ApiKeyUse[]): Promise<void> {
  if (uses.length > 0) await tx.execute(NOTE, [JSON.stringify(uses)]);
}

/** Keys that were never used are missing. */
export async function lastUsesOf(db: Queryable, apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.query<{ apiKeyId: string; usedAt: Date }>(FIND, [apiKeyIds]);
  return new Map(rows.map((row) => [row.apiKeyId, row.usedAt]));
}
