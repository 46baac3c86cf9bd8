import { randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import { createLogger, createMetrics } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { chainMetrics } from '../src/decision-chain/chain-metrics';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verificationRounds, type VerifyChainsDeps } from '../src/decision-chain/verify-chains';
import { findPass, storePass } from '../src/decision-chain/verification-pass-repository';
import { anIntent, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

/** In the order in which a pass over everything verifies them. */
const MERCHANTS = [randomUUID(), randomUUID(), randomUUID()].sort();
/** One page of new and one of old decisions per round. */
const ONE_PAGE = Number.MIN_VALUE;
const NOW = new Date('2026-11-23T03:00:00Z');
const never = new AbortController().signal;
let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ merchants: MERCHANTS });
  for (const merchantId of MERCHANTS) await aPayment({ merchantId, environment: 'LIVE' });
  await sealDecisions(session.deps, never);
});
afterAll(() => session.close());
failOnLeaks();

async function aPayment(tenant: Tenant): Promise<void> {
  const reference = aName();
  await session.deliver(intentArrives(anIntent({ tenant, reference })));
  await session.deliver(smsArrives(someEvidence({ tenant, reference, trxId: aName() })));
}

function underTest({ budgetMs = Infinity, page, now = () => NOW }: Partial<VerifyChainsDeps & { page: number }> = {}) {
  const metrics = chainMetrics(createMetrics('spec'));
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service: 'spec', level: 'info', destination });
  const deps = { ...session.deps, ...(page === undefined ? {} : { page }) };
  const round = verificationRounds({ ...deps, metrics, log, now, budgetMs });
  const figure = async (gauge: 'brokenChains' | 'chainsVerifiedAt') => (await metrics[gauge].get()).values[0]?.value;
  return { round, lines, figure };
}

/** Start of the last completed pass. */
async function verifiedSince(): Promise<Date | undefined> {
  const [row] = await session.db.query<{ at: Date }>('select verified_since as at from verification_pass');
  return row?.at;
}

beforeEach(() =>
  session.db.execute('update verification_pass set merchant_id = null, environment = null, place = null'),
);

/** With full database access. */
async function rename(merchantId: string, from: string, to: string): Promise<void> {
  await session.db.transaction(async (tx) => {
    await tx.execute('alter table decisions disable trigger user');
    await tx.execute('update decisions set record = replace(record, $2, $3) where merchant_id = $1', [
      merchantId,
      from,
      to,
    ]);
    await tx.execute('alter table decisions enable trigger user');
  });
}

it('reports no broken chain and the time of the round when all chains are as signed', async () => {
  const { round, lines, figure } = underTest();
  await round(never);
  await round(never);

  expect(await figure('brokenChains')).toBe(0);
  expect(await figure('chainsVerifiedAt')).toBe(NOW.getTime() / 1_000);
  expect(await verifiedSince()).toEqual(NOW);
  expect(lines).toEqual([]);
});

it('reports and logs a changed decision for its own chain only, until it is restored', async () => {
  const [merchantId = ''] = MERCHANTS;
  const { round, lines, figure } = underTest();
  await rename(merchantId, '"MATCHED"', '"PENDING"');
  await round(never);

  expect(await figure('brokenChains')).toBe(1);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'decisions.chain_broken',
      merchantId,
      environment: 'LIVE',
      position: '1',
      problem: 'the record does not match its signature',
    }),
  ]);

  await rename(merchantId, '"PENDING"', '"MATCHED"');
  await round(never);
  expect(await figure('brokenChains')).toBe(0);
});

it('keeps the last metrics when a round is stopped', async () => {
  const { round, figure } = underTest();
  await round(never);
  const stopped = AbortSignal.abort();

  await expect(round(stopped)).rejects.toThrow('aborted');
  expect(await figure('chainsVerifiedAt')).toBe(NOW.getTime() / 1_000);
});

it('verifies decisions that were sealed since the round before without waiting for the pass over everything', async () => {
  const merchantId = MERCHANTS.at(-1) ?? '';
  const since = await verifiedSince();
  const { round, lines, figure } = underTest({ budgetMs: ONE_PAGE });
  await round(never);
  await aPayment({ merchantId, environment: 'LIVE' });
  await sealDecisions(session.deps, never);
  await round(never);
  expect(lines).toEqual([]);

  await aPayment({ merchantId, environment: 'LIVE' });
  await sealDecisions(session.deps, never);
  await rename(merchantId, '"MATCHED"', '"PENDING"');
  // The first of them only ends the work before.
  await round(never);
  await round(never);
  expect(await figure('brokenChains')).toBe(1);
  expect(lines).toEqual([expect.objectContaining({ merchantId, position: '3' })]);

  await rename(merchantId, '"PENDING"', '"MATCHED"');
  expect(await verifiedSince()).toEqual(since);
});

it('new decisions for which a round has no time are verified in the next round, of every chain in turn', async () => {
  const [, otherId = '', merchantId = ''] = MERCHANTS;
  const since = await verifiedSince();
  const { round, lines } = underTest({ budgetMs: ONE_PAGE, page: 1 });
  await round(never);
  for (const id of [otherId, otherId, merchantId]) await aPayment({ merchantId: id, environment: 'LIVE' });
  await sealDecisions(session.deps, never);
  await rename(merchantId, '"MATCHED"', '"PENDING"');
  await round(never);
  expect(lines).toEqual([]);

  await round(never);
  expect(lines).toEqual([expect.objectContaining({ merchantId, problem: 'the record does not match its signature' })]);
  await rename(merchantId, '"PENDING"', '"MATCHED"');
  expect(await verifiedSince()).toEqual(since);
});

it('a pass over everything is continued by another process where the one before has stopped', async () => {
  const startedAt = new Date('2026-11-23T02:00:00Z');
  await session.db.execute('update verification_pass set started_at = $1', [startedAt]);
  for (let rounds = 1; (await verifiedSince())?.getTime() !== startedAt.getTime(); rounds += 1) {
    const { round, lines } = underTest({ budgetMs: ONE_PAGE, page: 2 });
    await round(never);
    expect(lines).toEqual([]);
    expect(rounds).toBeLessThan(100);
  }
});

it('a pass that several processes continue finds an intent without its decision', async () => {
  const merchantId = MERCHANTS.at(-1) ?? '';
  const change = (by: number) =>
    session.db.transaction(async (tx) => {
      await tx.execute('alter table intents disable trigger user');
      await tx.execute('update intents set decision_sequence = decision_sequence + $2 where merchant_id = $1', [
        merchantId,
        by,
      ]);
      await tx.execute('alter table intents enable trigger user');
    });
  await change(100);
  const found: unknown[] = [];
  for (let rounds = 1; found.length === 0; rounds += 1) {
    const { round, lines } = underTest({ budgetMs: ONE_PAGE, page: 2 });
    await round(never);
    found.push(...lines);
    expect(rounds).toBeLessThan(100);
  }
  await change(-100);

  expect(found).toEqual([
    expect.objectContaining({ merchantId, problem: 'no decision matches the state of the intent' }),
  ]);
});

it('a place that another process has moved meanwhile is not moved back', async () => {
  const stored = await findPass(session.db);
  if (stored === undefined) throw new Error('no pass');
  const [merchantId = '', otherId = ''] = MERCHANTS;

  await storePass(session.db, { ...stored, merchantId: otherId, environment: 'LIVE' });
  await storePass(session.db, { ...stored, merchantId, environment: 'LIVE' });

  expect(await findPass(session.db)).toMatchObject({ merchantId: otherId });
});

it('a chain that another process may verify next is reported until it is restored', async () => {
  const [merchantId = ''] = MERCHANTS;
  const { round, figure } = underTest();
  await rename(merchantId, '"MATCHED"', '"PENDING"');
  await round(never);
  await session.db.execute(
    `update verification_pass set merchant_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', environment = 'LIVE'`,
  );
  await round(never);
  expect(await figure('brokenChains')).toBe(1);

  await rename(merchantId, '"PENDING"', '"MATCHED"');
  await session.db.execute(
    `update verification_pass set merchant_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', environment = 'LIVE'`,
  );
  await round(never);
  expect(await figure('brokenChains')).toBe(0);
});

it('shows new decisions as verified only up to the last time at which none was left', async () => {
  let minutes = 0;
  const now = () => new Date(NOW.getTime() + 60_000 * minutes);
  const { round, figure } = underTest({ budgetMs: ONE_PAGE, page: 1, now });
  expect(await figure('chainsVerifiedAt')).toBe(NOW.getTime() / 1_000);
  await round(never);
  for (let n = 0; n < 3; n += 1) await aPayment({ merchantId: MERCHANTS[0] ?? '', environment: 'LIVE' });
  await sealDecisions(session.deps, never);
  minutes = 10;
  await round(never);
  expect(await figure('chainsVerifiedAt')).toBe(NOW.getTime() / 1_000);

  minutes = 20;
  for (let n = 0; n < 6; n += 1) await round(never);
  expect(await figure('chainsVerifiedAt')).toBeGreaterThanOrEqual(NOW.getTime() / 1_000 + 600);
});

it('a stored amount that differs from the signed record breaks the chain', async () => {
  const [, , merchantId = ''] = MERCHANTS;
  const { round, lines } = underTest();
  await session.db.transaction(async (tx) => {
    await tx.execute('alter table decisions disable trigger user');
    await tx.execute('update decisions set paid_amount = paid_amount + 1 where merchant_id = $1', [merchantId]);
    await tx.execute('alter table decisions enable trigger user');
  });
  await round(never);
  expect(lines).toEqual([
    expect.objectContaining({ merchantId, problem: 'the stored amount differs from the signed record' }),
  ]);
});
