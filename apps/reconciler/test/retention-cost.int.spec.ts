import { createHash } from 'node:crypto';
import { firstIdAt } from '@pay/persistence';
import { describeDays, failOnLeaks, measureTurnovers } from '@pay/testing';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { anIntent, intentArrives, SHOP, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

/** `npm run bench -- --retention` makes longer runs for measurements. */
const LONG = process.env['RETENTION_BENCH'] !== undefined;
const TIMEOUT_MS = LONG ? 3_600_000 : 90_000;
const [PER_DAY, KEPT_DAYS, DAYS] = LONG ? [864, 30, [31, 90, 180, 365]] : [200, 5, [7, 27]];

const never = new AbortController().signal;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const { merchantId, environment } = SHOP;

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ poolSize: 1 });
});
afterAll(() => session.close({ rowsByHand: true }));
failOnLeaks();

let position = 0n;
let previous: string | null = null;

/** Payments of a day, evenly over it: an intent, its evidence, their match and the decision, signed and linked. */
async function fill(day: number): Promise<void> {
  const { decisionChain } = session.deps;
  const rows = Array.from({ length: PER_DAY }, (_, n) => {
    const at = new Date(FIRST_DAY + day * DAY_MS + Math.floor((n * DAY_MS) / PER_DAY));
    const hash = createHash('sha256').update(`${day}-${n}`).digest('hex');
    const id = `${firstIdAt(at).slice(0, 14)}7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
    const [record, name] = [JSON.stringify({ id, decidedAt: at.toISOString() }), hash.slice(0, 12).toUpperCase()];
    const signed = decisionChain.sign(record);
    position += 1n;
    const link = decisionChain.link({ merchantId, environment, position, previous, mac: signed.mac });
    previous = link.mac;
    const keys = { key_id: signed.keyId, mac: signed.mac, link: link.mac };
    return { id, at, name, record, position: position.toString(), ...keys };
  });
  const given = `from jsonb_to_recordset($1::jsonb) as g (id uuid, at timestamptz, name text, record text, position bigint, key_id text, mac text, link text)`;
  const tenant = `'${merchantId}'::uuid, '${environment}'`;
  const statements = [
    `insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at, source_sequence, decision_sequence)
     select id, ${tenant}, name, 50000, 'PAID', '[]', at, at + interval '5 minutes', 1, 1 ${given}`,
    `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, reference_key, amount, provider_time, ingested_at, state)
     select id, ${tenant}, 'BKASH', 'BKASH_SEND_MONEY', name, name, 50000, at, at, 'USED' ${given}`,
    `insert into matches (id, merchant_id, environment, sms_event_id, payment_intent_id, path, status, reason, sms_sequence, pays_intent_id, pays_sms_event_id, created_at)
     select id, ${tenant}, id, id, 'REFERENCE', 'MATCHED', 'reference_match', 1, id, id, at ${given}`,
    `insert into decisions (id, merchant_id, environment, match_id, sms_event_id, payment_intent_id, decided_at, record, key_id, mac, position, link_key_id, link)
     select id, ${tenant}, id, id, id, at, record, key_id, decode(mac, 'hex'), position, key_id, decode(link, 'hex') ${given}`,
    `insert into decision_chains as c (merchant_id, environment, position, link)
     select ${tenant}, position, decode(link, 'hex') ${given} order by position desc limit 1
     on conflict (merchant_id, environment) do update set position = excluded.position, link = excluded.link`,
  ];
  const json = JSON.stringify(rows);
  for (const sql of statements) await session.db.execute(sql, [json]);
}

const countOf = async (table: string) =>
  Number((await session.db.query(`select count(*) as n from ${table} where merchant_id = $1`, [merchantId]))[0]?.['n']);

it(
  'reads as many pages per deleted record, and for nothing, after one turnover as after many',
  async () => {
    const tables = ['decisions', 'matches', 'evidence', 'intents'];
    const figures = await measureTurnovers({
      query: (sql, values) => session.db.query(sql, values),
      tables: [...tables, 'decision_chains', 'disputes', 'review_actions', 'claims'],
      fill,
      sweep: (day) => {
        const now = () => new Date(FIRST_DAY + (day + 1) * DAY_MS);
        return deleteOldRecords({ ...session.deps, now, retention: { claimDays: 180, recordDays: KEPT_DAYS } }, never);
      },
      rowsPerDay: tables.length * PER_DAY,
      days: DAYS,
      requests: LONG
        ? {
            'decision of a payment': async () => {
              const reference = aName();
              await session.deliver(intentArrives(anIntent({ reference })));
              await session.deliver(smsArrives(someEvidence({ reference, trxId: aName() })));
            },
          }
        : {},
    });
    if (LONG) process.stdout.write(describeDays('decisions, matches, evidence and intents', figures));

    const decided = LONG ? DAYS.length * 300 : 0;
    for (const table of ['matches', 'evidence', 'intents'])
      expect(await countOf(table)).toBe(KEPT_DAYS * PER_DAY + decided);
    const [first, ...later] = figures;
    for (const each of later) {
      expect(each.pagesForNothing).toBeLessThanOrEqual((first?.pagesForNothing ?? 0) + 10);
      expect(each.pagesPerRow).toBeLessThanOrEqual(1.5 * (first?.pagesPerRow ?? 0));
    }
    expect(first?.pagesForNothing).toBeLessThan(50);
    const cut = (DAYS.at(-1) ?? 0) * PER_DAY - KEPT_DAYS * PER_DAY;
    expect(
      await session.db.query('select cut_position::int as cut from decision_chains where merchant_id = $1', [
        merchantId,
      ]),
    ).toEqual([{ cut }]);
  },
  TIMEOUT_MS,
);
