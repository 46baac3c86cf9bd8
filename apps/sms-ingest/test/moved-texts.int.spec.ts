import {
  reparseResponseSchema,
  type DeviceFact,
  type MerchantFact,
  type ReceiverAccountFact,
  type ReparseReport,
} from '@pay/contracts';
import { hashKey } from '@pay/http';
import { draft } from '@pay/messaging';
import { createLogger, createMetrics } from '@pay/runtime';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { balanceChainId } from '../src/balances/balance-chain-id';
import { balanceMetrics } from '../src/balances/balance-metrics';
import { followBalances, type FollowBalancesDeps } from '../src/balances/follow-balances';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const receivedAt = '2026-11-21T09:00:00.000Z';
const agent = { paymentMethod: 'BKASH_CASHOUT', msisdn: '01700000911' } as const;
const personal = { paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01700000912' } as const;
const REVIEWS_NOTHING = { reviewForgerySignals: false, requirePayerAgreement: false, reviewOlderThanHours: null };

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

function reparse(phone: PhoneUnderTest, body: Record<string, unknown> = {}): Promise<ReparseReport> {
  const tenant = { merchantId: phone.merchantId, environment: phone.environment };
  const path = '/internal/v1/sms-events/reparse';
  return service.asDashboard.request('POST', path, { schema: reparseResponseSchema, body, tenant });
}

const rowOf = async (id: string) => (await service.db.query('select * from sms_events where id = $1', [id]))[0];

async function phoneOfAgent(): Promise<PhoneUnderTest> {
  const phone = await aPhone(service.db, { receivers: [agent] });
  await service.db.execute(
    `update directory_facts set data = jsonb_set(data, '{sims,0,simSlot}', 'null') where kind = 'device' and id = $1`,
    [phone.deviceId],
  );
  return phone;
}

/** The owner registers a personal wallet for SIM 2, and the agent wallet for SIM 1. */
async function registerPersonal({ merchantId, environment, accounts, deviceId, deviceKey }: PhoneUnderTest) {
  const owned = { merchantId, environment, version: 2, deleted: false };
  const account: ReceiverAccountFact = { ...owned, id: uuidv7(), ...personal, isActive: true };
  const device: DeviceFact = {
    ...owned,
    id: deviceId,
    name: 'counter phone',
    keyHash: hashKey(deviceKey),
    isDisabled: false,
    sims: [
      { simSlot: 1, receiverAccountIds: [accounts.BKASH_CASHOUT ?? ''] },
      { simSlot: 2, receiverAccountIds: [account.id] },
    ],
  };
  const about = { merchantId, environment, aggregateId: deviceId, sequence: 2, occurredAt: new Date() };
  const events = [
    draft('receiver_account.changed', { ...about, data: account }),
    draft('device.changed', { ...about, data: device }),
  ];
  await service.db.transaction((tx) => service.messaging.publish(tx, events, { queue: 'sms-ingest.control' }));
  return account.id;
}

async function reparsed(phone: PhoneUnderTest, texts = 1): Promise<void> {
  await eventually(async () => (await reparse(phone)).changed === texts, 'the wallets of the phone are known');
  await reparse(phone, { dryRun: false });
}

/** A text of the wallet that receives Tk 100 in each minute. */
function received100(wallet: typeof agent | typeof personal, minute: number, balance: number) {
  const at = new Date(Date.parse(receivedAt) + minute * 60_000);
  const money = { amount: '100', at, balance: String(balance), sender: '01711000201' };
  const text = bkashSendMoneyText(money);
  const isAgent = wallet === agent;
  const cashOut = text.replace('You have received', 'Cash Out').replace('201.', '201 successful.');
  const message = isAgent ? cashOut : text;
  return { sender: 'bKash', message, receivedAt: at.toISOString(), simSlot: isAgent ? 1 : 2 };
}

describe('the number of a text that was assigned to the only wallet', () => {
  /** A Send Money text on SIM 2, where only the agent wallet of the phone can be: no payment. */
  async function floatOnSim2(stated: { receiverMsisdn?: string } = {}) {
    const phone = await phoneOfAgent();
    const message = bkashSendMoneyText({ amount: '500', at: new Date(receivedAt) });
    const sms = { sender: 'bKash', message, receivedAt, simSlot: 2, ...stated };
    const { body } = await phoneApi(service.url, phone.deviceKey).incoming(sms);
    expect(await rowOf(body.id)).toMatchObject({
      status: 'UNPARSED',
      receiver_account_id: phone.accounts.BKASH_CASHOUT,
      receiver_msisdn: agent.msisdn,
    });
    return { phone, id: body.id as string };
  }

  it('is not taken for a statement of the forwarder: the text is assigned again', async () => {
    const { phone, id } = await floatOnSim2();
    const personalId = await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject({
      status: 'PARSED',
      payment_method: 'BKASH_SEND_MONEY',
      receiver_account_id: personalId,
      receiver_msisdn: personal.msisdn,
      signals: [],
    });
  });

  const unknown = { receiver_account_id: null, receiver_msisdn: agent.msisdn };

  it('excludes other wallets if the forwarder has stated it', async () => {
    const { phone, id } = await floatOnSim2({ receiverMsisdn: `+88${agent.msisdn}` });
    await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject(unknown);
  });

  it('excludes other wallets if an earlier version has stored the text', async () => {
    const { phone, id } = await floatOnSim2();
    await service.db.execute('update sms_events set receiver_is_stated = null where id = $1', [id]);
    await registerPersonal(phone);
    await reparsed(phone);

    expect(await rowOf(id)).toMatchObject(unknown);
  });
});

describe('a text that was assigned to a wrong wallet', () => {
  const allDone = (phone: PhoneUnderTest) =>
    eventually(async () => {
      const rows = await service.db.query(
        `select 1 from balance_texts where chain_id = any($1::uuid[]) and verdict is null
         union all select 1 from balance_rechecks where chain_id = any($1::uuid[])`,
        [[chainIdOf(phone, agent), chainIdOf(phone, personal)]],
      );
      return rows.length === 0;
    }, 'the chains of both wallets are checked');

  async function chainOf(phone: PhoneUnderTest, wallet: typeof agent | typeof personal): Promise<string[]> {
    const rows = await service.db.query<{ verdict: string | null; is_doubted: boolean }>(
      'select verdict, is_doubted from balance_texts where chain_id = $1 order by at',
      [chainIdOf(phone, wallet)],
    );
    return rows.map(({ verdict, is_doubted }) => `${verdict}${is_doubted ? ' doubted' : ''}`);
  }

  async function reviewBreaks({ merchantId }: PhoneUnderTest): Promise<void> {
    const stored = async () => {
      const sql = `select data from directory_facts where kind = 'merchant' and id = $1`;
      return (await service.db.query<{ data: MerchantFact }>(sql, [merchantId]))[0]!.data;
    };
    const evidenceRules = { ...REVIEWS_NOTHING, reviewBalanceBreaks: true };
    const data = { ...(await stored()), version: 2, evidenceRules };
    const about = { merchantId, environment: null, aggregateId: merchantId, sequence: 2, occurredAt: new Date() };
    await service.db.transaction((tx) =>
      service.messaging.publish(tx, [draft('merchant.changed', { ...about, data })], { queue: 'sms-ingest.control' }),
    );
    await eventually(async () => (await stored()).version === 2, 'the rule of the merchant is known');
  }

  /** Returns the ids of the texts. */
  async function send(phone: PhoneUnderTest, ...messages: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (const message of messages) ids.push((await phoneApi(service.url, phone.deviceKey).incoming(message)).body.id);
    await allDone(phone);
    return ids;
  }

  /** Parses the texts on SIM 2 again after the owner has registered the personal wallet. */
  async function moveTexts(phone: PhoneUnderTest, texts: number, { toItsWallet = true } = {}): Promise<void> {
    // A stated number that has another type of wallet is doubtful.
    await service.db.execute(
      'update sms_events set receiver_is_stated = true where merchant_id = $1 and sim_slot = 2 and not $2',
      [phone.merchantId, toItsWallet],
    );
    await registerPersonal(phone);
    await reparsed(phone, texts);
    await allDone(phone);
  }

  const gapsOf = ({ merchantId }: PhoneUnderTest) =>
    service.db.query<{ id: string; status: string; amount: string }>(
      'select id, status, amount from missing_sms where merchant_id = $1 order by missing_from',
      [merchantId],
    );

  it.each([
    ['to its own wallet', true, ['FIRST', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS']],
    ['to no wallet', false, []],
  ])(
    'leaves the chain of that wallet, which then continues without it, when it moves %s',
    async (_to, toItsWallet, moved) => {
      const phone = await phoneOfAgent();
      await reviewBreaks(phone);
      await send(
        phone,
        ...[0, 1, 2].map((n) => received100(agent, n, 1_000 + 100 * n)),
        ...[0, 1, 2, 3, 4].map((n) => received100(personal, 3 + n, 50_000 + 100 * n)),
        ...[3, 4, 5].map((n) => received100(agent, 5 + n, 1_000 + 100 * n)),
      );
      expect((await chainOf(phone, agent)).filter((each) => each === 'GAP doubted')).toHaveLength(2);
      expect(await gapsOf(phone)).toHaveLength(2);

      await moveTexts(phone, 5, { toItsWallet });

      expect(await chainOf(phone, agent)).toEqual(['FIRST', ...Array<string>(5).fill('FOLLOWS')]);
      expect(await chainOf(phone, personal)).toEqual(moved);
      expect(await gapsOf(phone)).toEqual([]);
    },
  );

  it('does not report a paid text behind it as doubtful a second time when it leaves', async () => {
    const phone = await phoneOfAgent();
    const [, , forged = ''] = await send(
      phone,
      received100(agent, 0, 1_000),
      received100(personal, 1, 50_000),
      received100(agent, 2, 9_000),
      received100(agent, 3, 1_100),
    );
    expect(await chainOf(phone, agent)).toEqual(['FIRST', 'BREAK doubted', 'BREAK doubted', 'FOLLOWS']);
    await service.db.execute(
      `update sms_events set status = 'MATCHED', match_status = 'MATCHED', passed_over_at = passed_over_at - interval '2 days'
       where id = $1`,
      [forged],
    );
    const before = await rowOf(forged);
    const breaks = await breaksFound();

    await moveTexts(phone, 1);

    expect(await chainOf(phone, agent)).toEqual(['FIRST', 'BREAK doubted', 'FOLLOWS']);
    expect(await rowOf(forged)).toEqual(before);
    expect(await breaksFound()).toBe(breaks);
  });

  it('leaves texts from before the review of breaks without a signal', async () => {
    const phone = await phoneOfAgent();
    const [, , old = ''] = await send(
      phone,
      received100(agent, 0, 1_000),
      received100(personal, 1, 50_000),
      received100(agent, 2, 1_600),
    );
    const before = await rowOf(old);
    await reviewBreaks(phone);

    await moveTexts(phone, 1);

    expect(await chainOf(phone, agent)).toEqual(['FIRST', 'GAP']);
    expect(await rowOf(old)).toEqual(before);
  });

  it.each([
    ['to its own wallet', true],
    ['to no wallet', false],
  ])('leaves the reported gap before it to the next text when it moves %s', async (_to, toItsWallet) => {
    const phone = await phoneOfAgent();
    // The gap before the second text is Tk 500.
    await send(phone, received100(agent, 0, 1_000), received100(personal, 1, 1_600), received100(agent, 2, 1_700));
    const [gap] = await reported(phone);
    expect(gap).toMatchObject({ status: 'OPEN', amount: '50000' });

    await moveTexts(phone, 1, { toItsWallet });

    expect(await gapsOf(phone)).toEqual([{ ...gap, amount: '60000' }]);
  });

  it('leaves the reported gap before it to the next text, which has an own gap that was not reported yet', async () => {
    const phone = await phoneOfAgent();
    await send(phone, received100(agent, 0, 1_000), received100(personal, 1, 1_600));
    const [gap] = await reported(phone);
    await send(phone, received100(agent, 2, 1_900));
    expect(await gapsOf(phone)).toEqual([gap, expect.objectContaining({ status: 'SUSPECTED', amount: '20000' })]);

    await moveTexts(phone, 1);

    expect(await gapsOf(phone)).toEqual([{ ...gap, amount: '80000' }]);
  });

  it('explains the reported gap before it if the next text follows without it, which is counted', async () => {
    const phone = await phoneOfAgent();
    await send(phone, received100(agent, 0, 1_000), received100(personal, 1, 50_000));
    const [gap] = await reported(phone);
    const explained = await gapsExplained();

    await moveTexts(phone, 1);

    expect(await gapsOf(phone)).toEqual([{ ...gap, status: 'EXPLAINED' }]);
    expect(await gapsExplained()).toBe(explained + 1);
  });

  /** Ends the grace period of the gaps. */
  async function reported(phone: PhoneUnderTest) {
    await service.db.execute(`update missing_sms set status = 'OPEN', found_at = now() where merchant_id = $1`, [
      phone.merchantId,
    ]);
    return gapsOf(phone);
  }
});

describe('a text that leaves a chain while another process examines it for the first time', () => {
  const usual: { service?: ServiceUnderTest } = {};
  beforeAll(async () => {
    usual.service = service;
    service = await startService({ without: ['follow-balances'] });
  });
  afterAll(async () => {
    await service.stop();
    service = usual.service!;
  });

  it('moves after the results of that process are stored, and is examined at its new place', async () => {
    const phone = await phoneOfAgent();
    for (const message of [received100(agent, 0, 1_000), received100(personal, 1, 50_000)])
      await phoneApi(service.url, phone.deviceKey).incoming(message);
    await registerPersonal(phone);
    await eventually(async () => (await reparse(phone)).changed === 1, 'the wallets of the phone are known');
    const { follow, hasRead, release } = aSlowProcess();

    const first = follow();
    await eventually(hasRead, 'the process has read the text');
    let isMoved = false;
    const moving = reparse(phone, { dryRun: false }).finally(() => (isMoved = true));
    await eventually(async () => isMoved || (await isAnyWaiting()), 'the text is moved, or waits for the process');
    release();
    await Promise.all([first, moving]);
    await follow();

    expect(await service.db.query('select amount, status from missing_sms')).toEqual([]);
    expect(await service.db.query('select chain_id as chain, verdict from balance_texts order by at')).toEqual([
      { chain: chainIdOf(phone, agent), verdict: 'FIRST' },
      { chain: chainIdOf(phone, personal), verdict: 'FIRST' },
    ]);
  });

  const isAnyWaiting = async () => {
    const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await service.db.query(sql)).length > 0;
  };

  /** Does not commit its results before it is released. */
  function aSlowProcess() {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isReading = false;
    const merchant = async () => {
      isReading = true;
      await released;
      return undefined;
    };
    const deps: FollowBalancesDeps = {
      db: service.db,
      messaging: service.messaging,
      log: createLogger({ service: 'sms-ingest', level: 'silent' }),
      newId: uuidv7,
      now: () => new Date(),
      directory: { merchant, receiverAccounts: () => Promise.resolve([]) },
      metrics: balanceMetrics(createMetrics('sms-ingest')),
    };
    const follow = () => followBalances(deps, new AbortController().signal);
    return { follow, hasRead: () => isReading, release: () => release() };
  }
});

function chainIdOf({ merchantId, environment }: PhoneUnderTest, wallet: typeof agent | typeof personal): string {
  return balanceChainId({ merchantId, environment, ...wallet });
}

const breaksFound = () => total('sms_balance_breaks_total');
const gapsExplained = () => total('sms_missing_explained_total');
async function total(name: string): Promise<number> {
  const values = (await service.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
  return values.reduce((sum, { value }) => sum + value, 0);
}
