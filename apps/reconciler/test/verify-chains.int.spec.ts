import { randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import { createLogger, createMetrics } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { chainMetrics } from '../src/decision-chain/chain-metrics';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verificationRounds } from '../src/decision-chain/verify-chains';
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

function underTest({ budgetMs = Infinity, page }: { budgetMs?: number; page?: number } = {}) {
  const metrics = chainMetrics(createMetrics('spec'));
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service: 'spec', level: 'info', destination });
  const deps = { ...session.deps, ...(page === undefined ? {} : { page }) };
  const round = verificationRounds({ ...deps, metrics, log, now: () => NOW, budgetMs });
  const figure = async (gauge: 'brokenChains' | 'chainsVerifiedAt' | 'allDecisionsVerifiedAt') =>
    (await metrics[gauge].get()).values[0]?.value;
  return { round, lines, figure };
}

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

  expect(await figure('brokenChains')).toBe(0);
  expect(await figure('chainsVerifiedAt')).toBe(NOW.getTime() / 1_000);
  expect(await figure('allDecisionsVerifiedAt')).toBe(NOW.getTime() / 1_000);
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
  expect(await figure('allDecisionsVerifiedAt')).toBe(0);
});

it('new decisions for which a round has no time are verified in the next round, of every chain in turn', async () => {
  const [, otherId = '', merchantId = ''] = MERCHANTS;
  const { round, lines, figure } = underTest({ budgetMs: ONE_PAGE, page: 1 });
  await round(never);
  for (const id of [otherId, otherId, merchantId]) await aPayment({ merchantId: id, environment: 'LIVE' });
  await sealDecisions(session.deps, never);
  await rename(merchantId, '"MATCHED"', '"PENDING"');
  await round(never);
  expect(lines).toEqual([]);

  await round(never);
  expect(lines).toEqual([expect.objectContaining({ merchantId, problem: 'the record does not match its signature' })]);
  await rename(merchantId, '"PENDING"', '"MATCHED"');
  expect(await figure('allDecisionsVerifiedAt')).toBe(0);
});

it('a pass over everything is continued in the next round', async () => {
  const { round, figure } = underTest({ budgetMs: ONE_PAGE });
  for (let rounds = 1; (await figure('allDecisionsVerifiedAt')) === 0; rounds += 1) {
    await round(never);
    expect(rounds).toBeLessThan(100);
  }
  expect(await figure('brokenChains')).toBe(0);
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
