import { createLogger, createMetrics } from '@pay/runtime';
import { bkashSendMoneyText, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { holdChain } from '../src/balances/balance-chain-repository';
import { balanceChainId } from '../src/balances/balance-chain-id';
import { balanceMetrics } from '../src/balances/balance-metrics';
import { followBalances } from '../src/balances/follow-balances';
import { aPhone, BKASH, phoneApi, startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService({ without: ['follow-balances'] });
});
afterAll(() => service.stop());
failOnLeaks();

/** The id of a chain that no process has examined yet. */
async function aNewChain(): Promise<string> {
  const { merchantId, environment, deviceKey } = await aPhone(service.db);
  const at = new Date('2026-11-21T09:00:00.000Z');
  const message = bkashSendMoneyText({ amount: '100', at, balance: '1100', sender: '01711000201' });
  await phoneApi(service.url, deviceKey).incoming({ sender: 'bKash', message, receivedAt: at.toISOString() });
  return balanceChainId({ merchantId, environment, ...BKASH });
}

async function examined(): Promise<string[]> {
  const sql = 'select chain_id as id from balance_texts where verdict is not null';
  return (await service.db.query<{ id: string }>(sql)).map(({ id }) => id);
}

function follow(): Promise<void> {
  const { db, messaging } = service;
  const directory = { merchant: () => Promise.resolve(undefined), receiverAccounts: () => Promise.resolve([]) };
  const log = createLogger({ service: 'sms-ingest', level: 'silent' });
  const metrics = balanceMetrics(createMetrics('sms-ingest'));
  const deps = { db, messaging, directory, log, metrics, newId: uuidv7, now: () => new Date() };
  return followBalances(deps, new AbortController().signal);
}

it('a process follows the other chains while another one does not commit the row of a new chain', async () => {
  const [held = '', other] = [await aNewChain(), await aNewChain()].sort();

  await service.db.transaction(async (tx) => {
    await holdChain(tx, held, 'skip');
    await expect(follow()).rejects.toMatchObject({ code: '55P03' });
    expect(await examined()).toEqual([other]);
  });

  await follow();
  expect((await examined()).sort()).toEqual([held, other]);
});

it.each(['skip', 'wait'] as const)(
  'a process that has locked a chain (%s) waits for other rows without a limit, so that a deadlock is detected',
  async (whileLocked) => {
    const chainId = await aNewChain();

    await service.db.transaction(async (tx) => {
      await holdChain(tx, chainId, whileLocked);
      expect(await tx.query('show lock_timeout')).toEqual([{ lock_timeout: '0' }]);
    });
  },
);
