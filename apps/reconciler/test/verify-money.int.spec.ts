import { randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import { parseOptions } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { runVerify } from '../src/cli/run-verify';
import { verifyCommand } from '../src/cli/verify-options';
import type { Evidence, Intent } from '../src/domain/facts';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verifyDecisions } from '../src/decision-chain/verify-decisions';
import { anIntent, expires, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, DECISION_KEYS, openSession, type SessionUnderTest } from './session-under-test';

const MERCHANTS = Array.from({ length: 12 }, () => randomUUID());
let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ merchants: MERCHANTS });
});
afterAll(() => session.close({ rowsByHand: true }));
failOnLeaks();

const never = new AbortController().signal;
const verify = (tenant: Tenant, since?: Date) => verifyDecisions({ ...session.deps, page: 2 }, tenant, { since });

interface Shop {
  readonly tenant: Tenant;
  readonly paid: { readonly intent: Intent; readonly sms: Evidence };
  readonly open: { readonly intent: Intent; readonly sms: Evidence };
}

let used = 0;
/** A shop with three payments, waiting money, waiting and expired intents; all decisions are linked. */
async function aShop(): Promise<Shop> {
  const merchantId = MERCHANTS[used++];
  if (merchantId === undefined) throw new Error('more merchants are needed');
  const tenant: Tenant = { merchantId, environment: 'LIVE' };
  const aPair = (reference = aName()) => ({
    intent: anIntent({ tenant, reference }),
    sms: someEvidence({ tenant, reference, trxId: aName() }),
  });
  const [paid, ...more] = [aPair(), aPair(), aPair()];
  for (const { intent, sms } of [paid, ...more]) await session.deliver(intentArrives(intent), smsArrives(sms));
  const late = anIntent({ tenant, reference: aName() });
  await session.deliver(intentArrives(late));
  await session.deliver(expires(late));
  const open = {
    intent: anIntent({ tenant, reference: aName() }),
    sms: someEvidence({ tenant, trxId: aName() }),
  };
  await session.deliver(intentArrives(open.intent), smsArrives(open.sms));
  await sealDecisions(session.deps, never);
  return { tenant, paid, open };
}

/** With full database access, bypassing triggers. */
async function tamper(sql: string, values: readonly unknown[]): Promise<void> {
  await session.db.transaction(async (tx) => {
    for (const table of ['decisions', 'matches', 'intents'])
      await tx.execute(`alter table ${table} disable trigger user`);
    await tx.execute(sql, values);
    for (const table of ['decisions', 'matches', 'intents'])
      await tx.execute(`alter table ${table} enable trigger user`);
  });
}

/** Removes the newest decisions and all traces of them in the chain. */
async function cutOff({ merchantId }: Tenant, from: number): Promise<void> {
  await tamper('delete from decisions where merchant_id = $1 and position >= $2', [merchantId, from]);
  await tamper(
    `update decision_chains c set position = d.position, link = d.link from decisions d
     where c.merchant_id = $1 and d.merchant_id = $1 and d.position = $2`,
    [merchantId, from - 1],
  );
}

const PAY_BY_HAND = `insert into matches (id, merchant_id, environment, sms_event_id, payment_intent_id, path, status, reason, sms_sequence,
    pays_intent_id, pays_sms_event_id, created_at, decided_by, resolution_note)
  values ($1, $2, 'LIVE', $3, $4, 'MANUAL', 'MANUALLY_RESOLVED', 'linked_by_person', 1, $4, $3, now(), 'user:me', 'mine')`;

/** The goal of a forger: an intent PAID without money. */
async function payWithoutADecision({ tenant: { merchantId }, open: { intent } }: Shop): Promise<string> {
  const [smsEventId, matchId] = [randomUUID(), randomUUID()];
  await tamper(
    `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, amount, provider_time, ingested_at, state)
     values ($1, $2, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', $3, 50000, now(), now(), 'USED')`,
    [smsEventId, merchantId, aName()],
  );
  await tamper(PAY_BY_HAND, [matchId, merchantId, smsEventId, intent.id]);
  await tamper(`update intents set status = 'PAID', decision_sequence = 1 where id = $1`, [intent.id]);
  return matchId;
}

describe('the verification of payments against the chain', () => {
  it('accepts a database in which every payment has its decision', async () => {
    await expect(verify((await aShop()).tenant)).resolves.toMatchObject({ sealed: 5, payments: 3, broken: null });
  });

  it('finds a match with its evidence and PAID intent that was inserted without a decision', async () => {
    const shop = await aShop();
    const matchId = await payWithoutADecision(shop);

    expect((await verify(shop.tenant)).broken).toMatchObject({
      problem: 'no decision matches the state of the match',
      matchId,
      paymentIntentId: shop.open.intent.id,
    });
  });

  it('finds a payment whose decision was cut off together with the head of the chain', async () => {
    const { tenant, open } = await aShop();
    await cutOff(tenant, 5);

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'no decision matches the state of the match',
      matchId: (await session.matchOf(open.sms.smsEventId))?.['id'],
    });
  });

  it('finds an expiry whose decision was cut off', async () => {
    const { tenant } = await aShop();
    await tamper('delete from matches where merchant_id = $1 and pays_intent_id is null', [tenant.merchantId]);
    await tamper(`delete from evidence where merchant_id = $1 and state = 'WAITING'`, [tenant.merchantId]);
    await cutOff(tenant, 4);

    expect((await verify(tenant)).broken).toMatchObject({ problem: 'no decision matches the state of the intent' });
  });

  it.each([
    [
      'an intent that was made PAID',
      `update intents set status = 'PAID' where id = $1`,
      'open',
      'is PAID without a match',
    ],
    [
      'an intent that was made EXPIRED',
      `update intents set status = 'EXPIRED' where id = $1`,
      'open',
      'the status has no decision',
    ],
    ['a paid intent of another amount', 'update intents set amount = 1 where id = $1', 'paid', 'the amounts differ'],
    [
      'money of another amount',
      'update evidence set amount = 1 where sms_event_id = (select pays_sms_event_id from matches where pays_intent_id = $1)',
      ...['paid', 'the amounts differ'],
    ],
    [
      'money that was made unspent, to be used again',
      `update evidence set state = 'WAITING' where sms_event_id = (select pays_sms_event_id from matches where pays_intent_id = $1)`,
      ...['paid', 'the evidence is USED without an intent'],
    ],
  ] as const)('finds %s', async (_, sql, which, problem) => {
    const shop = await aShop();
    await tamper(sql, [shop[which].intent.id]);

    expect((await verify(shop.tenant)).broken?.problem).toContain(problem);
  });

  it('finds a tenant whose chain was deleted; payments older than decisions need none', async () => {
    const { tenant } = await aShop();
    await tamper('delete from decisions where merchant_id = $1', [tenant.merchantId]);
    await tamper('delete from decision_chains where merchant_id = $1', [tenant.merchantId]);
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: session.url,
      DECISION_CHAIN_KEYS: DECISION_KEYS.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    };
    const command = (...words: string[]) =>
      runVerify(env, parseOptions([`--merchant=${tenant.merchantId}`, ...words], verifyCommand.options).values);

    expect((await command()).at(-1)?.broken).toMatchObject({ problem: 'no decision matches the state of the match' });
    expect((await command('--since=2100-01-01T00:00:00Z')).at(-1)?.broken).toBeNull();
    const every = await runVerify(env, parseOptions([], verifyCommand.options).values);
    expect(every.at(-1)?.broken).not.toBeNull();
  });

  it('reads evidence and intents by their keys for merchants of any size', async () => {
    const plans: string[] = [];
    const explaining = {
      query: async (sql: string | { readonly text: string }, values?: readonly unknown[]) => {
        const text = typeof sql === 'string' ? sql : sql.text;
        await session.db.transaction(async (tx) => {
          await tx.execute('set local enable_seqscan = off');
          const plan = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
          plans.push(...plan.map((row) => row['QUERY PLAN']));
        });
        return session.db.query(text, values);
      },
    } as typeof session.db;
    const { tenant } = await aShop();

    await verifyDecisions({ ...session.deps, db: explaining }, tenant);

    expect(plans.filter((line) => line.includes('Seq Scan on'))).toEqual([]);
    expect(plans.some((line) => line.includes('evidence_one_per_trx_id'))).toBe(true);
    expect(plans.some((line) => line.includes('intents_one_per_reference'))).toBe(true);
  });
});
