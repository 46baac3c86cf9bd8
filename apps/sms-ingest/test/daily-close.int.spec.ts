import { dailyBalancesSchema, dailyCloseSchema, type DailyBalances, type ReceiverDay } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { textsAround } from '../src/balances/daily-balance-repository';
import { textsOfDay } from '../src/balances/wallet-day-repository';
import {
  aPhone,
  BKASH,
  phoneApi,
  startService,
  type PhoneUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService({ limits: { MISSING_SMS_GRACE_SECONDS: 0 } });
});
afterAll(() => service.stop());
failOnLeaks();

let made = 0;
const tail = () => String((made += 1)).padStart(4, '0');

/** At a time of Bangladesh, as the provider writes it. */
function received(amount: number, balance: number, at: string): string {
  return `You have received Tk ${amount.toFixed(2)} from 01711000201. Fee Tk 0.00. Balance Tk ${balance.toFixed(2)}. TrxID DKLDAY${tail()} at ${at}`;
}
function sent(amount: number, fee: number, balance: number, at: string): string {
  return `Send Money Tk ${amount.toFixed(2)} to 01711000404 successful. Ref A1. Fee Tk ${fee.toFixed(2)}. Balance Tk ${balance.toFixed(2)}. TrxID DKLDAY${tail()} at ${at}`;
}

async function forward(phone: PhoneUnderTest, ...texts: readonly string[]): Promise<string[]> {
  const messages = texts.map((message) => ({ sender: 'bKash', message, receivedAt: '2026-11-22T12:00:00.000Z' }));
  const { body } = await phoneApi(service.url, phone.deviceKey).incoming({ messages });
  await eventually(async () => {
    const rows = await service.db.query('select 1 from balance_texts where verdict is null limit 1');
    return rows.length === 0;
  }, 'every text is examined');
  return body.results.map(({ id }: { id: string }) => id);
}

async function closeOf({ merchantId, accounts }: PhoneUnderTest, date: string, filter = ''): Promise<ReceiverDay> {
  const path = `/internal/v1/daily-close?merchantId=${merchantId}&environment=SANDBOX&date=${date}${filter}`;
  const { accounts: days } = await service.asDashboard.request('GET', path, { schema: dailyCloseSchema });
  const day = days.find(({ receiverAccountId }) => receiverAccountId === accounts.BKASH_SEND_MONEY);
  if (day === undefined) throw new Error('the account is not in the answer');
  return day;
}

async function balancesOf({ merchantId }: PhoneUnderTest, query: string): Promise<DailyBalances['accounts']> {
  const path = `/internal/v1/daily-balances?merchantId=${merchantId}&${query}`;
  const { accounts } = await service.asDashboard.request('GET', path, { schema: dailyBalancesSchema });
  return accounts;
}

/** A wallet with a text every five minutes from the begin of 2026 to May, and what Postgres does to read some of it. */
async function plansOfLongChain(read: (db: never, chainId: string) => Promise<unknown>): Promise<string> {
  const chainId = uuidv7();
  await service.db.execute(
    `insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects, verdict)
     select gen_random_uuid(), $1, timestamptz '2026-01-01' + n * interval '5 minutes', now(), n, '{1}', 'FOLLOWS'
     from generate_series(1, 40000) as n`,
    [chainId],
  );
  await service.db.execute('analyze balance_texts');
  const plans: string[] = [];
  const literal = (value: unknown): string => {
    if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return `'${value}'::uuid`;
    return `array[${(value as readonly unknown[]).map(literal).join(', ')}]`;
  };
  const explaining = {
    query: async ({ text }: { text: string }, values: readonly unknown[]) => {
      const whole = text.replace(/\$(\d)/g, (_, place: string) => literal(values[Number(place) - 1]));
      const rows = await service.db.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${whole}`);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    },
  };
  await read(explaining as never, chainId);
  return plans.join('\n');
}

const mostRowsOf = (plan: string) =>
  Math.max(...[...plan.matchAll(/actual rows=(\d+)(?:\.\d+)?/g)].map(([, rows]) => Number(rows)));

describe('Daily close per receiver account', () => {
  it('totals days of Asia/Dhaka from texts in any order; late texts change past days', async () => {
    const phone = await aPhone(service.db);
    const lost = received(300, 1850.5, '21/11/2026 09:30');
    const ids = await forward(
      phone,
      sent(500, 5, 1405.5, '21/11/2026 23:59'),
      received(100, 1505.5, '22/11/2026 00:00'),
      received(60, 1910.5, '21/11/2026 12:00'),
      received(50.5, 1550.5, '21/11/2026 00:00'),
      received(500, 1500, '20/11/2026 23:59'),
    );
    const decide = (id: string | undefined, status: string) =>
      service.db.execute('update sms_events set match_status = $2, payment_intent_id = $3 where id = $1', [
        ...[id, status, status === 'MATCHED' ? uuidv7() : null],
      ]);
    await decide(ids[3], 'MATCHED');
    await decide(ids[2], 'PENDING');
    await eventually(async () => (await closeOf(phone, '2026-11-21')).missing.length > 0, 'the gap is published');

    expect(await closeOf(phone, '2026-11-21')).toMatchObject({
      receiverMsisdn: BKASH.msisdn,
      texts: 3,
      openingBalance: '1500',
      closingBalance: '1405.5',
      matched: { count: 1, amount: '50.5' },
      unmatched: { count: 1, amount: '60' },
      outgoing: { count: 1, amount: '500' },
      fees: '5',
      expectedBalance: '1105.5',
      difference: '300',
      adjustments: '0',
      missing: [{ direction: 'IN', amount: '300' }],
      moneyWithoutOrder: [{ smsEventId: ids[2], amount: '60', matchStatus: 'PENDING' }],
    });
    expect(await closeOf(phone, '2026-11-20')).toMatchObject({ openingBalance: '1000', closingBalance: '1500' });
    expect(await closeOf(phone, '2026-11-22')).toMatchObject({
      openingBalance: '1405.5',
      closingBalance: '1505.5',
      difference: '0',
      texts: 1,
    });

    await forward(phone, lost);

    expect(await closeOf(phone, '2026-11-21')).toMatchObject({
      closingBalance: '1405.5',
      difference: '0',
      unmatched: { count: 2, amount: '360' },
      missing: [],
    });
  });

  it('contains only accounts of one merchant and environment', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    await forward(phone, received(500, 1500, '21/11/2026 10:00'));
    const ask = async (query: string) =>
      (
        await service.asDashboard.request('GET', `/internal/v1/daily-close?date=2026-11-21&${query}`, {
          schema: dailyCloseSchema,
        })
      ).accounts;

    const account = phone.accounts.BKASH_SEND_MONEY;
    const own = `merchantId=${phone.merchantId}&environment=SANDBOX&receiverAccountId=${account}`;
    expect((await ask(own)).map(({ receiverAccountId, texts }) => [receiverAccountId, texts])).toEqual([[account, 1]]);
    expect(await ask(own.replace(phone.merchantId, other.merchantId))).toEqual([]);
    expect(await ask(own.replace('SANDBOX', 'LIVE'))).toEqual([]);
    expect((await closeOf(other, '2026-11-21')).texts).toBe(0);
  });

  it('reads a day by index with any number of texts in the year', async () => {
    const plan = await plansOfLongChain((db, chainId) =>
      textsOfDay(db, [chainId], { from: new Date('2026-03-01T18:00:00Z'), to: new Date('2026-03-02T18:00:00Z') }),
    );

    expect(plan).toContain('balance_texts_by_time');
    expect(plan).not.toMatch(/Seq Scan on (balance_texts|sms_events)/);
    expect(mostRowsOf(plan)).toBeLessThanOrEqual(288 + 2 * 60);
  });
});

describe('Balances by day per receiver account', () => {
  it('are the closing balances of each day, whatever the order within the last minute and for days without texts', async () => {
    const phone = await aPhone(service.db);
    await forward(
      phone,
      received(500, 1500, '20/11/2026 23:59'),
      // The order of the last minute follows from the balances alone.
      received(70, 1770, '22/11/2026 23:59'),
      received(200, 1700, '22/11/2026 23:59'),
      sent(100, 5, 1665, '23/11/2026 00:00'),
      received(35, 1700, '25/11/2026 08:00'),
    );
    const account = phone.accounts.BKASH_SEND_MONEY;
    const query = `environment=SANDBOX&until=2026-11-26&days=8&receiverAccountId=${account}`;

    const accounts = await balancesOf(phone, query);

    expect(accounts).toEqual([
      {
        receiverAccountId: account,
        paymentMethod: 'BKASH_SEND_MONEY',
        receiverMsisdn: BKASH.msisdn,
        days: [
          { date: '2026-11-19', closingBalance: null },
          { date: '2026-11-20', closingBalance: '1500' },
          { date: '2026-11-21', closingBalance: '1500' },
          { date: '2026-11-22', closingBalance: '1770' },
          { date: '2026-11-23', closingBalance: '1665' },
          { date: '2026-11-24', closingBalance: '1665' },
          { date: '2026-11-25', closingBalance: '1700' },
          { date: '2026-11-26', closingBalance: '1700' },
        ],
      },
    ]);
    for (const { date, closingBalance } of accounts[0]?.days ?? [])
      expect({ date, closingBalance: (await closeOf(phone, date)).closingBalance }).toEqual({ date, closingBalance });
  });

  it('contain only accounts of one merchant and environment', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    await forward(phone, received(500, 1500, '21/11/2026 10:00'));
    const query = `environment=SANDBOX&until=2026-11-21&days=1&receiverAccountId=${phone.accounts.BKASH_SEND_MONEY}`;

    expect(await balancesOf(phone, query)).toMatchObject([{ days: [{ closingBalance: '1500' }] }]);
    expect(await balancesOf(other, query)).toEqual([]);
    expect(await balancesOf(phone, query.replace('SANDBOX', 'LIVE'))).toEqual([]);
  });

  it('read the texts around each midnight by index with any number of texts in the year', async () => {
    const midnights = Array.from(
      { length: 31 },
      (_, day) => new Date(Date.parse('2026-03-01T18:00Z') + day * 86_400_000),
    );

    const plan = await plansOfLongChain((db, chainId) => textsAround(db, chainId, midnights));

    expect(plan).toContain('balance_texts_by_time');
    expect(plan).not.toMatch(/Seq Scan on (balance_texts|sms_events)/);
    expect(mostRowsOf(plan)).toBeLessThanOrEqual(31 * 2 * 60);
  });
});
