import type pg from 'pg';
import type { Shop } from './decision-events';

const CHUNK = 100_000;
/** Ids grow with time, like those of services. */
const V7 = `(lpad(to_hex((extract(epoch from made.at) * 1000)::bigint), 12, '0') || '7'
  || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/** Open intents without payments, and as many texts without intents. */
export async function fillWithOpen(client: pg.Pool, shop: Shop, count: number): Promise<void> {
  for (let from = 1; from <= count; from += CHUNK) {
    const values = [shop.merchantId, shop.walletId, from, Math.min(from + CHUNK - 1, count)];
    await client.query(intentsSql(`made.at, made.at + interval '30 days'`), values);
    await client.query(TEXTS, values);
  }
  await settleTables(client);
}

/** Open intents that end at intervals within this number of seconds. Resolves when the first one ends. */
export async function fillWithDue(
  client: pg.Pool,
  shop: Shop,
  { count, afterSeconds, withinSeconds }: { count: number; afterSeconds: number; withinSeconds: number },
): Promise<Date> {
  const { rows } = await client.query<{ due: Date }>(`select now() + $1 * interval '1 second' as due`, [afterSeconds]);
  const due = rows[0]?.due ?? new Date();
  const end = `$5::timestamptz + (n * $6::float8 / $4) * interval '1 second'`;
  const values = [shop.merchantId, shop.walletId, 1, count, due, withinSeconds];
  await client.query(intentsSql(`made.at, ${end}`), values);
  await settleTables(client);
  return due;
}

function intentsSql(times: string): string {
  return `
    insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at,
      source_sequence)
    select ${V7}, $1, 'LIVE', 'OPEN' || n, 50000, 'PENDING',
      jsonb_build_array(jsonb_build_object('receiverAccountId', $2::uuid, 'paymentMethod', 'BKASH_SEND_MONEY')), ${times}, 1
    from generate_series($3::int, $4::int) n
    cross join lateral (select now() - interval '1 hour' + n * interval '1 millisecond' as at) made`;
}

const TEXTS = `
  with stored as (
    insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount,
      receiver_account_id, provider_time, ingested_at, state)
    select ${V7}, $1, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', 'STORED' || n, 'UNKNOWN' || n, 50000, $2::uuid, made.at, made.at, 'WAITING'
    from generate_series($3::int, $4::int) n
    cross join lateral (select now() - interval '1 hour' + n * interval '1 millisecond' as at) made
    returning sms_event_id, merchant_id, environment, ingested_at)
  insert into matches (id, merchant_id, environment, sms_event_id, status, reason, received_amount, sms_sequence, created_at)
  select ${V7}, merchant_id, environment, sms_event_id, 'PENDING', 'reference_not_found', 50000, 1, made.at
  from stored cross join lateral (select ingested_at as at) made`;

/** Autovacuum and the checkpointer would have done this while shops create so many rows. */
async function settleTables(client: pg.Pool): Promise<void> {
  await client.query('vacuum (analyze) intents');
  await client.query('vacuum (analyze) evidence');
  await client.query('vacuum (analyze) matches');
  await client.query('checkpoint');
}
