import type pg from 'pg';
import type { OwnMerchant } from '../own-merchant';

/** The merchant of the rows, and the objects that they refer to. */
export interface ListShop {
  readonly merchantId: string;
  readonly receiverAccountId: string;
  readonly deviceId: string;
}

export function shopOf({ id, sandbox }: OwnMerchant): ListShop {
  const [wallet] = sandbox.receivers;
  if (!wallet) throw new Error('the merchant has no wallet');
  return { merchantId: id, receiverAccountId: wallet.id, deviceId: sandbox.deviceId };
}

export interface ListFill {
  readonly service: 'intent-api' | 'sms-ingest' | 'reconciler' | 'webhook-dispatcher' | 'dashboard-api';
  /**
   * Common parameters: $1 merchant, $2 receiver account, $3 device, $4 first and $5 last number, $6 seconds between
   * rows.
   */
  readonly insert: readonly string[];
  readonly tables: readonly string[];
}

const CHUNK = 100_000;
/** A million rows cover two months. */
const SECONDS_BETWEEN = 5;
/** Time of a row by its number, in ISO 8601. */
export const timeOf = (row: number): string =>
  new Date(Date.now() - 3_600_000 - row * SECONDS_BETWEEN * 1_000).toISOString();
/** Greater numbers are older. Ids grow with time, like those of services. */
const ROWS = `generate_series($4::int, $5::int) n
  cross join lateral (select now() - interval '1 hour' - n * $6::int * interval '1 second' as at) as made
  cross join lateral (select $2::uuid as account, $3::uuid as device) as given`;
const V7 = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7'
  || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;
const DELIVERED_EVENT = `case when n % 100 < 80 then 'payment.paid' when n % 100 < 99 then 'payment.expired' else 'payment.rejected' end`;
const DELIVERY_STATUS = `case when n % 100 = 0 then 'FAILED' else 'DELIVERED' end`;
const INTENT_STATUS = `case when n % 100 < 75 then 'PAID' when n % 100 < 94 then 'EXPIRED' when n % 100 < 97 then 'PENDING'
  when n % 100 < 99 then 'FAILED' else 'REVIEW_REQUIRED' end`;
const INTENT_METHOD = `(array['BKASH_SEND_MONEY', 'BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY', null])[n % 4 + 1]`;
/** Depends only on the number of the row, so that two tables of the reconciler have the same id. */
const SMS_ID = `overlay(overlay(md5($1::uuid::text || n) placing '4' from 13) placing '8' from 17)::uuid`;

export const LIST_FILLS = {
  payments: {
    service: 'intent-api',
    insert: [
      `insert into payment_intents (id, merchant_id, environment, idempotency_key, parameters_hash, status, amount, currency,
         customer_reference, reference_key, merchant_reference, payment_method, shown_receivers, method_fixed, created_at,
         expires_at, paid_at)
       select ${V7}, $1::uuid, 'SANDBOX', 'filled-' || n, '', ${INTENT_STATUS}, 50000, 'BDT', 'F-' || n, 'F' || n, 'order-' || n,
         ${INTENT_METHOD}, '[]', false, at, at + interval '5 minutes', case when n % 100 < 75 then at end
       from ${ROWS} where account is not null and device is not null`,
      `insert into intent_counters as counter (merchant_id, environment, status, payment_method, shard, intents)
       select $1::uuid, 'SANDBOX', ${INTENT_STATUS}, coalesce(${INTENT_METHOD}, ''), 0, count(*)
       from ${ROWS} where account is not null and device is not null group by 3, 4
       on conflict (merchant_id, environment, status, payment_method, shard)
         do update set intents = counter.intents + excluded.intents`,
    ],
    tables: ['payment_intents', 'intent_counters'],
  },
  sms: {
    service: 'sms-ingest',
    insert: [
      `insert into sms_events (id, merchant_id, environment, device_id, receiver_account_id, sender, sim_slot, received_at, ingested_at,
         parser_version, provider, kind, direction, payment_method, provider_time, parsed_amount, parsed_trx_id, parsed_reference,
         parsed_sender_msisdn, status, match_status)
       select ${V7}, $1::uuid, 'SANDBOX', case when n % 1000 = 0 then gen_random_uuid() else device end, account, 'bKash', 1, at, at, '6',
         case when n % 100 < 90 then 'BKASH' else 'NAGAD' end, 'PAYMENT_RECEIVED', 'IN',
         case when n % 100 < 90 then 'BKASH_SEND_MONEY' else 'NAGAD_SEND_MONEY' end, at, 50000 + n % 1000, 'TRX' || n, 'F-' || n,
         '017' || lpad(n::text, 8, '0'),
         case when n % 100 < 96 then 'MATCHED' when n % 100 < 98 then 'MANUALLY_RESOLVED' when n % 100 = 98 then 'FAILED' else 'UNPARSED' end,
         case when n % 100 < 96 then 'MATCHED' when n % 100 < 98 then 'MANUALLY_RESOLVED' when n % 100 = 98 then 'FAILED' else 'UNPARSED' end
       from ${ROWS}`,
    ],
    tables: ['sms_events'],
  },
  exceptions: {
    service: 'reconciler',
    insert: [
      `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount, receiver_account_id,
         provider_time, ingested_at, state, payer_msisdn)
       select ${SMS_ID}, $1::uuid, 'SANDBOX', 'BKASH', 'BKASH_SEND_MONEY', 'TRX' || n, 'F' || n, 50000 + n % 1000, account, at, at,
         case when n % 10 < 2 then 'REVIEW' else 'CLOSED' end, '017' || lpad(n::text, 8, '0')
       from ${ROWS}`,
      `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, received_amount, sms_sequence, created_at,
         receiver_account_id, decided_by, resolution_note, resolved_at, assignee_id)
       select ${V7}, $1::uuid, 'SANDBOX', ${SMS_ID}, case when n % 10 < 2 then 'REVIEW_REQUIRED' else 'REJECTED' end,
         case when n % 10 = 0 then 'late_payment' when n % 10 = 1 then 'reference_match_amount_mismatch' else 'rejected' end,
         50000 + n % 1000, 1, at, account, case when n % 10 < 2 then 'system' else 'user:' || $1::uuid::text end,
         case when n % 10 < 2 then null else 'filled' end, case when n % 10 < 2 then null else at end, null
       from ${ROWS}`,
    ],
    tables: ['evidence', 'matches'],
  },
  deliveries: {
    service: 'webhook-dispatcher',
    insert: [
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret)
       select distinct account, $1::uuid, 'SANDBOX', 'https://filled.example', array['payment.paid'], 'x'
       from ${ROWS} where device is not null on conflict do nothing`,
      `insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
         idempotency_key, body, status, attempt, status_code, delivered_at, created_at, ended_at)
       select ${V7}, account, $1::uuid, 'SANDBOX', gen_random_uuid(), gen_random_uuid(), ${DELIVERED_EVENT}, at,
         'filled:' || $1::uuid::text || ':' || n, repeat('x', 350), ${DELIVERY_STATUS}, 1,
         case when n % 100 = 0 then 500 else 200 end, case when n % 100 = 0 then null else at end, at, at
       from ${ROWS} where device is not null`,
      `insert into delivery_counts as count (merchant_id, environment, endpoint_id, event_type, status, deliveries)
       select $1::uuid, 'SANDBOX', account, ${DELIVERED_EVENT}, ${DELIVERY_STATUS}, count(*) from ${ROWS} where device is not null
       group by 1, 2, 3, 4, 5 on conflict (merchant_id, environment, endpoint_id, event_type, status)
         do update set deliveries = count.deliveries + excluded.deliveries`,
    ],
    tables: ['deliveries', 'delivery_counts', 'endpoints'],
  },
  'audit-log': {
    service: 'dashboard-api',
    insert: [
      `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id, environment, before, after)
       select ${V7}, at, case when n % 1000 = 0 then 'cli:filled' else 'user:' || $1::uuid::text end,
         case when n % 100 = 0 then 'api_key.rotated' else 'exception.resolve_asked' end,
         case when n % 100 = 0 then 'api_key' else 'exception' end, gen_random_uuid(), $1::uuid, 'SANDBOX', '{"status": "OPEN"}', '{"status": "CLOSED"}'
       from ${ROWS} where account is not null and device is not null`,
    ],
    tables: ['audit_log'],
  },
} as const satisfies Readonly<Record<string, ListFill>>;
export type FilledList = keyof typeof LIST_FILLS;

/** Inserts decided rows in bulk, without triggers and foreign keys. */
export async function fillList(
  client: pg.Client,
  { list, shop, first, last }: { list: FilledList; shop: ListShop; first: number; last: number },
): Promise<void> {
  const { insert, tables } = LIST_FILLS[list];
  await client.query('set session_replication_role = replica');
  for (let from = first; from <= last; from += CHUNK) {
    const values = [shop.merchantId, shop.receiverAccountId, shop.deviceId];
    for (const sql of insert)
      await client.query(sql, [...values, from, Math.min(from + CHUNK - 1, last), SECONDS_BETWEEN]);
  }
  // Autovacuum and the checkpointer would have done this while a shop creates so many rows.
  for (const table of tables) await client.query(`vacuum (analyze) ${table}`);
  await client.query('checkpoint');
}

export async function emptyList(client: pg.Client, list: FilledList, { merchantId }: ListShop): Promise<void> {
  await client.query('set session_replication_role = replica');
  for (const table of LIST_FILLS[list].tables) {
    await client.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
    await client.query(`vacuum (analyze) ${table}`);
  }
}
