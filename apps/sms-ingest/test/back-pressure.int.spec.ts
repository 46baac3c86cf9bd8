import { createLogger } from '@pay/runtime';
import { openDatabase, type Database } from '@pay/persistence';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });

let service: ServiceUnderTest;
let holder: Database;
let flooder: PhoneUnderTest;
let otherPhone: PhoneUnderTest;
beforeAll(async () => {
  const limits = { SMS_WAITING_PER_DEVICE: 1_000, SMS_WAITING_PER_MERCHANT: 1_000, SMS_WAITING: 1_500 };
  service = await startService({ limits });
  holder = await openDatabase({
    url: service.databaseUrl,
    poolSize: 2,
    applicationName: 'holder',
    log,
    migrations,
  });
  flooder = await aPhone(service.db);
  otherPhone = await aPhone(service.db);
});
afterAll(async () => {
  await holder.close();
  await service.stop();
});
failOnLeaks();

const anSms = () => ({
  sender: 'bKash',
  message: bkashSendMoneyText({ amount: '5' }),
  receivedAt: new Date().toISOString(),
  simSlot: 1,
});
const batch = (size: number) => ({ messages: Array.from({ length: size }, anSms) });
const api = (phone: PhoneUnderTest, url = service.url) => phoneApi(url, phone.deviceKey);

/** Blocks inserts in Postgres while `work` runs. */
async function whileNothingCommits(work: () => Promise<void>): Promise<void> {
  await holder.transaction(async (tx) => {
    await tx.execute('lock table sms_fingerprints in share row exclusive mode');
    await work();
  });
}

const busy = async () => (await service.metrics.registry.metrics()).match(/turned_away_total\{.*\} (\d+)/)?.[1];
const stored = async ({ merchantId }: PhoneUnderTest) =>
  // Ids of transactions rise in the order in which they began to write; `ingested_at` is the time of the request.
  service.db.query<{ transaction: number }>(
    'select xmin::text::float8 as transaction from sms_events where merchant_id = $1 order by 1',
    [merchantId],
  );

describe('too many SMS of one merchant', () => {
  it('are refused with Retry-After above the share of the merchant, and do not delay SMS of another merchant', async () => {
    const answers: Promise<{ status: number; headers: Headers; body: any }>[] = [];
    let theirs: Promise<unknown> | undefined;
    // Its key is known from here on: to find it, too, takes a connection.
    expect(await api(otherPhone).incoming(anSms())).toMatchObject({ status: 202 });
    await whileNothingCommits(async () => {
      for (let at = 0; at < 6; at += 1) answers.push(api(flooder).incoming(batch(200)));
      await eventually(async () => (await busy()) === '1', 'five batches wait, and the sixth has been refused');
      theirs = api(otherPhone).incoming(anSms());
      answers.push(api(flooder).incoming(anSms()));
      await eventually(async () => (await busy()) === '2', 'even one more has been refused');
    });

    const all = await Promise.all(answers);
    expect(all.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 429, 429]);
    const [refused] = all.filter(({ status }) => status === 429);
    expect(refused?.body.code).toBe('BUSY');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await theirs).toMatchObject({ status: 202 });

    const flood = await stored(flooder);
    expect(flood).toHaveLength(1_000);
    const ofOtherPhone = await stored(otherPhone);
    expect(ofOtherPhone).toHaveLength(2);
    const { transaction: its } = ofOtherPhone[1]!;
    // Two transactions were on their way when it came.
    expect(flood.filter((row) => row.transaction <= its).length).toBeLessThanOrEqual(300);
  });

  it('are accepted when they are sent again, and each is stored once', async () => {
    const again = batch(500);
    const answers = [await api(flooder).incoming(again), await api(flooder).incoming(again)];

    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[1]?.body.results.every(({ duplicate }: { duplicate: boolean }) => duplicate)).toBe(true);
    expect(await stored(flooder)).toHaveLength(1_500);
  });
});

it('limits the requests of a device per second and returns the remaining ones', async () => {
  const limited = await startService({ limits: { RATE_LIMIT_DEVICE_PER_SECOND: 3 } });
  try {
    const [phone, other] = [await aPhone(limited.db), await aPhone(limited.db)];
    // Concurrently: one after another, a busy machine might not ask so much of it in a second.
    const answers = await Promise.all(Array.from({ length: 20 }, () => api(phone, limited.url).incoming(anSms())));
    const refused = answers.find(({ status }) => status === 429);
    expect(new Set(answers.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['3']));
    expect(refused).toMatchObject({ body: { code: 'RATE_LIMITED' } });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await api(other, limited.url).incoming(anSms())).toMatchObject({ status: 202 });
  } finally {
    await limited.stop();
  }
});
