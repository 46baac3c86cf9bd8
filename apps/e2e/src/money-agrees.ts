/**
 * Runs at the end of every whole-system run: published PAID intents, decisions and used texts must agree one to one and
 * to the poisha, each read from its own service. Usage: money-agrees.js <run directory>
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceDatabases } from './service-databases';
import { readSystem } from './system';

/** Work of the last test may still be in progress. */
const PATIENCE_MS = 30_000;

const PAID = `select id, amount, merchant_id, environment from intent_api.payment_intents where status = 'PAID'`;

const SPENT = `
  select id, parsed_amount, payment_intent_id, merchant_id, environment from sms_ingest.sms_events
  where status in ('MATCHED', 'MANUALLY_RESOLVED')`;

/**
 * Runs on the database of the reconciler. A person may accept another amount; the difference must then be the
 * acknowledged one.
 */
const DISAGREEMENTS = `
  with paid as (
    select * from jsonb_to_recordset($1) as r (id uuid, amount bigint, merchant_id uuid, environment text)),
  decided as (
    select m.id as match_id, m.pays_intent_id, m.pays_sms_event_id, m.status, m.merchant_id, m.environment, m.expected_amount,
      m.received_amount, i.status as intent_status, i.amount as intent_amount, e.state, e.amount as evidence_amount
    from reconciler.matches m
    left join reconciler.intents i on i.id = m.pays_intent_id
    left join reconciler.evidence e on e.sms_event_id = m.pays_sms_event_id
    where m.pays_intent_id is not null or m.status in ('MATCHED', 'MANUALLY_RESOLVED')),
  spent as (
    select * from jsonb_to_recordset($2)
      as r (id uuid, parsed_amount bigint, payment_intent_id uuid, merchant_id uuid, environment text))
  select paid.id as paid_intent, decided.match_id, spent.id as spent_sms, decided.status
  from paid
  full join decided on decided.pays_intent_id = paid.id
  full join spent on spent.id = decided.pays_sms_event_id
  where paid.id is null or decided.match_id is null or spent.id is null
    or decided.intent_status is distinct from 'PAID' or decided.state is distinct from 'USED'
    or spent.payment_intent_id is distinct from paid.id
    or (paid.merchant_id, paid.environment) is distinct from (decided.merchant_id, decided.environment)
    or (paid.merchant_id, paid.environment) is distinct from (spent.merchant_id, spent.environment)
    or paid.amount is distinct from decided.expected_amount or paid.amount is distinct from decided.intent_amount
    or spent.parsed_amount is distinct from decided.received_amount
    or spent.parsed_amount is distinct from decided.evidence_amount
    or (paid.amount <> spent.parsed_amount and not exists (
      select 1 from reconciler.review_actions a
      where a.match_id = decided.match_id and decided.status = 'MANUALLY_RESOLVED'
        and (a.acknowledged ->> 'expectedAmount')::numeric * 100 = paid.amount
        and (a.acknowledged ->> 'receivedAmount')::numeric * 100 = spent.parsed_amount))
  limit 20`;

async function main(): Promise<number> {
  const [runDirectory = '.run'] = process.argv.slice(2);
  const databases = new ServiceDatabases(readSystem(runDirectory));
  try {
    const deadline = performance.now() + PATIENCE_MS;
    let rows = await disagreements(databases);
    while (rows.length > 0 && performance.now() < deadline) {
      await delay(500);
      rows = await disagreements(databases);
    }
    const { rows: counted } = await databases.query<{ count: string; taka: string }>(
      'intent-api',
      `select count(*), coalesce(sum(amount), 0) / 100.0 as taka from intent_api.payment_intents where status = 'PAID'`,
    );
    if (rows.length === 0) {
      console.log(`the money agrees: ${counted[0]?.count} payments, ${Number(counted[0]?.taka)} BDT`);
      return 0;
    }
    console.error(`the money does not agree: ${JSON.stringify(rows, null, 2)}`);
    return 1;
  } finally {
    await databases.close();
  }
}

async function disagreements(databases: ServiceDatabases): Promise<unknown[]> {
  const { rows: paid } = await databases.query('intent-api', PAID);
  const { rows: spent } = await databases.query('sms-ingest', SPENT);
  return (await databases.query('reconciler', DISAGREEMENTS, [JSON.stringify(paid), JSON.stringify(spent)])).rows;
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
