import { reparseResponseSchema, type DeviceFact, type ReceiverAccountFact, type ReparseReport } from '@pay/contracts';
import { hashKey } from '@pay/http';
import { draft } from '@pay/messaging';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { balanceChainId } from '../src/balances/balance-chain-id';
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
  it.each([
    ['to its own wallet', true, ['FIRST', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS', 'FOLLOWS']],
    ['to no wallet', false, []],
  ])(
    'leaves the chain of that wallet, which then continues without it, when it moves %s',
    async (_to, known, moved) => {
      const phone = await phoneOfAgent();
      await service.db.execute(
        `update directory_facts set data = data || jsonb_build_object('evidenceRules', $2::jsonb) where kind = 'merchant' and id = $1`,
        [phone.merchantId, JSON.stringify({ ...REVIEWS_NOTHING, reviewBalanceBreaks: true })],
      );
      const messages = [
        ...[0, 1, 2].map((n) => received100(agent, n, 1_000 + 100 * n)),
        ...[0, 1, 2, 3, 4].map((n) => received100(personal, 3 + n, 50_000 + 100 * n)),
        ...[3, 4, 5].map((n) => received100(agent, 5 + n, 1_000 + 100 * n)),
      ];
      const chainOf = async (wallet: typeof agent | typeof personal) => {
        const id = balanceChainId({ merchantId: phone.merchantId, environment: phone.environment, ...wallet });
        const rows = await service.db.query<{ verdict: string | null; is_doubted: boolean }>(
          'select verdict, is_doubted from balance_texts where chain_id = $1 order by at',
          [id],
        );
        return rows.map(({ verdict, is_doubted }) => `${verdict}${is_doubted ? ' doubted' : ''}`);
      };
      const isExamined = async () => !JSON.stringify([await chainOf(agent), await chainOf(personal)]).includes('null');
      const gaps = () =>
        service.db.query(`select 1 from missing_sms where merchant_id = $1 and status <> 'EXPLAINED'`, [
          phone.merchantId,
        ]);
      for (const message of messages) await phoneApi(service.url, phone.deviceKey).incoming(message);
      await eventually(isExamined, 'all texts are examined');
      expect((await chainOf(agent)).filter((each) => each === 'GAP doubted')).toHaveLength(2);
      expect(await gaps()).toHaveLength(2);

      await service.db.execute(
        'update sms_events set receiver_is_stated = true where merchant_id = $1 and sim_slot = 2 and not $2',
        [phone.merchantId, known],
      );
      await registerPersonal(phone);
      await reparsed(phone, 5);
      await eventually(isExamined, 'all texts are examined');

      expect(await chainOf(agent)).toEqual(['FIRST', ...Array<string>(5).fill('FOLLOWS')]);
      expect(await chainOf(personal)).toEqual(moved);
      expect(await gaps()).toEqual([]);
    },
  );
});
