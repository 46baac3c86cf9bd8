import { randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import { createMetrics, databaseGauges, parseOptions } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { runVerify } from '../src/cli/run-verify';
import { verifyCommand } from '../src/cli/verify-options';
import { watchDecisions } from '../src/decision-chain/chain-metrics';
import { createDecisionChain } from '../src/decision-chain/decision-chain';
import { canonicalJson } from '../src/domain/decision-record';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verifyDecisions } from '../src/decision-chain/verify-decisions';
import { anIntent, expires, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, DECISION_KEYS, openSession, silent, type SessionUnderTest } from './session-under-test';

const MERCHANTS = Array.from({ length: 16 }, () => randomUUID());
let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ merchants: MERCHANTS });
});
afterAll(() => session.close());
failOnLeaks();

const never = new AbortController().signal;
const seal = (page = 3) => sealDecisions({ ...session.deps, page }, never);
const verify = (tenant: Tenant) => verifyDecisions({ ...session.deps, page: 2 }, tenant);
/** The gauge at a time after a decision. */
async function sealLag({ afterSeconds, since = new Date() }: { afterSeconds: number; since?: Date | undefined }) {
  const metrics = createMetrics('spec');
  const at = new Date(since.getTime() + afterSeconds * 1_000);
  watchDecisions(databaseGauges(metrics, silent), session.db, () => at);
  const metric = await metrics.registry.getSingleMetric('reconciler_decision_seal_lag_seconds')?.get();
  return metric?.values[0]?.value;
}
let used = 0;
function aShop(): Tenant {
  const merchantId = MERCHANTS[used++];
  if (merchantId === undefined) throw new Error('more merchants are needed');
  return { merchantId, environment: 'LIVE' };
}

/** A merchant with payments that waited before they paid: two decisions each. */
async function aHistory(payments = 4): Promise<Tenant> {
  const tenant = aShop();
  for (let n = 0; n < payments; n += 1) await aPayment(tenant);
  return tenant;
}

async function aPayment(tenant: Tenant): Promise<void> {
  const reference = aName();
  const sms = someEvidence({ tenant, reference, trxId: aName() });
  await session.deliver(smsArrives(sms));
  await session.deliver(intentArrives(anIntent({ tenant, reference })));
}

interface Entry {
  readonly id: string;
  readonly match_id: string;
  readonly position: string;
  readonly link: string;
  readonly record: string;
}

async function entriesOf({ merchantId }: Tenant): Promise<Entry[]> {
  return session.db.query<Entry>(
    `select id, match_id, position, encode(link, 'hex') as link, record from decisions where merchant_id = $1 order by position`,
    [merchantId],
  );
}

async function entryAt(tenant: Tenant, position: number): Promise<Entry> {
  const entry = (await entriesOf(tenant))[position - 1];
  if (entry === undefined) throw new Error(`no entry ${position}`);
  return entry;
}

/** With full database access, bypassing triggers. */
async function tamper(sql: string, values: readonly unknown[] = []): Promise<void> {
  await session.db.transaction(async (tx) => {
    await tx.execute('alter table decisions disable trigger user');
    await tx.execute('alter table matches disable trigger user');
    await tx.execute(sql, values);
    await tx.execute('alter table decisions enable trigger user');
    await tx.execute('alter table matches enable trigger user');
  });
}

describe('a hash chain over decisions', () => {
  it('contains every published decision once, with its facts', async () => {
    const tenant = await aHistory();
    const late = anIntent({ tenant, reference: aName() });
    await session.deliver(intentArrives(late));
    await session.deliver(expires(late));
    await seal();

    const announced = (await session.announced()).filter(({ merchantId }) => merchantId === tenant.merchantId);
    const entries = await entriesOf(tenant);
    const records = entries.map(({ record }) => JSON.parse(record));
    expect(entries.map(({ position }) => Number(position))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(entries.map(({ id }) => id).sort()).toEqual(announced.map(({ aggregateId }) => aggregateId).sort());
    expect(records[1]).toMatchObject({
      status: 'MATCHED',
      path: 'REFERENCE',
      reason: 'reference_match',
      decidedBy: 'system',
      checks: { amount: 'pass' },
      expectedAmount: '500',
      receivedAmount: '500',
      candidates: [{ reason: 'pays' }],
    });
    expect(records[8]).toMatchObject({ status: 'EXPIRED', sms: null, intent: { id: late.id, status: 'EXPIRED' } });
    expect(canonicalJson(records[1])).toBe(entries[1]?.record);
    await expect(verify(tenant)).resolves.toMatchObject({
      sealed: 9,
      unsealed: 0,
      broken: null,
      head: { position: '9', link: entries[8]?.link },
    });
  });

  it('is one chain without gaps while four replicas link and new decisions are made', async () => {
    const tenant = aShop();
    const stop = new AbortController();
    const sealing = Array.from({ length: 4 }, async () => {
      while (!stop.signal.aborted) await seal(5);
    });
    try {
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          for (let n = 0; n < 8; n += 1) await aPayment(tenant);
        }),
      );
    } finally {
      stop.abort();
      await Promise.all(sealing);
    }
    await seal();

    await expect(verify(tenant)).resolves.toMatchObject({ sealed: 96, unsealed: 0, broken: null });
  });

  it('shows decisions that are signed and not linked yet', async () => {
    const tenant = await aHistory(2);

    await expect(verify(tenant)).resolves.toMatchObject({ sealed: 0, unsealed: 4, broken: null });
  });

  it('shows the age of the oldest decision that is not linked, also while its chain is locked, and 0 after it is linked', async () => {
    const tenant = await aHistory(1);
    await seal();
    expect(await sealLag({ afterSeconds: 90 })).toBe(0);
    await aPayment(tenant);
    await aHistory(1);
    const [first] = await session.db.query<{ at: Date }>(
      'select min(decided_at) as at from decisions where position is null',
    );

    expect(await sealLag({ afterSeconds: 90, since: first?.at })).toBe(90);
    await session.db.transaction(async (tx) => {
      await tx.query('select from decision_chains where merchant_id = $1 for update', [tenant.merchantId]);
      await seal();
    });
    expect(await sealLag({ afterSeconds: 90, since: first?.at })).toBe(90);
    await seal();
    expect(await sealLag({ afterSeconds: 90 })).toBe(0);
  });

  it('cannot be changed or deleted through SQL of the service', async () => {
    const tenant = await aHistory(1);
    await seal();
    const { id } = await entryAt(tenant, 1);

    const guarded = { constraint: 'decisions_are_kept' };
    await expect(session.db.execute('delete from decisions where id = $1', [id])).rejects.toMatchObject(guarded);
    await expect(session.db.execute(`update decisions set record = '{}' where id = $1`, [id])).rejects.toMatchObject(
      guarded,
    );
    await expect(session.db.execute('update decisions set position = 7 where id = $1', [id])).rejects.toMatchObject(
      guarded,
    );
  });
});

describe('verification finds a person with full access to the database who', () => {
  it('changes a decision', async () => {
    const tenant = await aHistory();
    await seal();
    const { id, match_id: matchId } = await entryAt(tenant, 4);
    await tamper(
      `update decisions set record = replace(record, '"receivedAmount":"500"', '"receivedAmount":"50"') where id = $1`,
      [id],
    );

    const { broken } = await verify(tenant);

    expect(broken).toMatchObject({
      problem: 'the record does not match its signature',
      position: '4',
      decisionId: id,
      matchId,
    });
  });

  it('moves a decision to another intent', async () => {
    const tenant = await aHistory();
    await seal();
    const { id } = await entryAt(tenant, 2);
    await tamper('update decisions set payment_intent_id = $2 where id = $1', [id, randomUUID()]);

    expect((await verify(tenant)).broken).toMatchObject({
      decisionId: id,
      problem: expect.stringContaining('stored ids differ'),
    });
  });

  it('deletes a decision', async () => {
    const tenant = await aHistory();
    await seal();
    const [gone, next] = [await entryAt(tenant, 3), await entryAt(tenant, 4)];
    await tamper('delete from decisions where id = $1', [gone.id]);

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'entry 3 is missing',
      position: '4',
      decisionId: next.id,
    });
  });

  it('deletes a decision and renumbers the others', async () => {
    const tenant = await aHistory();
    await seal();
    const [gone, next] = [await entryAt(tenant, 3), await entryAt(tenant, 4)];
    await tamper('delete from decisions where id = $1', [gone.id]);
    for (const position of [4, 5, 6, 7, 8]) {
      await tamper('update decisions set position = position - 1 where merchant_id = $1 and position = $2', [
        tenant.merchantId,
        position,
      ]);
    }

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'the link does not match the previous entry',
      position: '3',
      decisionId: next.id,
    });
  });

  it('swaps two decisions', async () => {
    const tenant = await aHistory();
    await seal();
    const [one, other] = [await entryAt(tenant, 2), await entryAt(tenant, 3)];
    await tamper('update decisions set position = 1000 where id = $1', [one.id]);
    await tamper('update decisions set position = 2 where id = $1', [other.id]);
    await tamper('update decisions set position = 3 where id = $1', [one.id]);

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'the link does not match the previous entry',
      position: '2',
      decisionId: other.id,
    });
  });

  it('inserts a decision signed with another key', async () => {
    const tenant = await aHistory();
    await seal();
    const { record } = await entryAt(tenant, 2);
    const forged = { ...JSON.parse(record), id: randomUUID(), paymentIntentId: randomUUID() };
    const text = canonicalJson(forged);
    const { mac } = createDecisionChain([{ id: 'test', key: Buffer.alloc(32, 8) }]).sign(text);
    await session.db.execute(
      `insert into decisions (id, merchant_id, environment, match_id, sms_event_id, payment_intent_id, decided_at, record, key_id, mac)
       values ($1, $2, 'LIVE', $3, $4, $5, now(), $6, 'test', decode($7, 'hex'))`,
      [forged.id, tenant.merchantId, forged.matchId, forged.smsEventId, forged.paymentIntentId, text, mac],
    );

    const found = { problem: 'the record does not match its signature', decisionId: forged.id };
    expect((await verify(tenant)).broken).toMatchObject({ ...found, position: null });
    await seal();
    expect((await verify(tenant)).broken).toMatchObject({ ...found, position: '9' });
  });

  it('changes the status of an SMS without changing the decisions', async () => {
    const tenant = await aHistory();
    await seal();
    const { id, match_id: matchId } = await entryAt(tenant, 2);
    await tamper(`update matches set reason = 'trx_id_match' where id = $1`, [matchId]);

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'the match differs from the signed decision',
      decisionId: id,
    });
  });

  it('cuts off the end: by the stored head, and also by a published head', async () => {
    const tenant = await aHistory();
    await seal();
    const published = await verify(tenant);
    const last = await entryAt(tenant, 7);
    await tamper('delete from decisions where merchant_id = $1 and position = 8', [tenant.merchantId]);

    expect((await verify(tenant)).broken).toMatchObject({ problem: 'entries up to 8 are missing', position: '8' });

    await tamper(`update decision_chains set position = 7, link = decode($2, 'hex') where merchant_id = $1`, [
      tenant.merchantId,
      last.link,
    ]);
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: session.url,
      DECISION_CHAIN_KEYS: DECISION_KEYS.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    };
    const head = `${published.head.position}:${published.head.link}`;
    const words = [`--merchant=${tenant.merchantId}`, '--environment=live', `--head=${head}`];
    const command = parseOptions(words, verifyCommand.options).values;
    const [chain] = await runVerify(env, command);
    expect(chain?.broken).toMatchObject({ problem: 'entries up to the published 8 are missing', position: '8' });
  });

  it('has the key and signs and links the changed decisions again', async () => {
    const tenant = await aHistory();
    await seal();
    const [before, changed, next] = [await entryAt(tenant, 3), await entryAt(tenant, 4), await entryAt(tenant, 5)];
    const record = changed.record.replace('"receivedAmount":"500"', '"receivedAmount":"50"');
    const { decisionChain } = session.deps;
    const { mac } = decisionChain.sign(record);
    const link = decisionChain.link({ ...tenant, position: 4n, previous: before.link, mac }).mac;
    await tamper(`update decisions set record = $2, mac = decode($3, 'hex'), link = decode($4, 'hex') where id = $1`, [
      changed.id,
      record,
      mac,
      link,
    ]);

    expect((await verify(tenant)).broken).toMatchObject({
      problem: 'the link does not match the previous entry',
      position: '5',
      decisionId: next.id,
    });
  });

  it('changes one of many chains: the command reports that chain', async () => {
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: session.url,
      DECISION_CHAIN_KEYS: `next:${Buffer.alloc(32, 9).toString('base64')},test:${Buffer.alloc(32, 7).toString('base64')}`,
    };

    const chains = await runVerify(env, parseOptions([], verifyCommand.options).values);

    expect(chains.at(-1)?.broken).not.toBeNull();
    expect(chains.slice(0, -1).every(({ broken }) => broken === null)).toBe(true);
  });
});
