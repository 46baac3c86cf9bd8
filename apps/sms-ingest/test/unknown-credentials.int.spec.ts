import type { DeviceFact, Forwarder } from '@pay/contracts';
import { newCredential, newHookId } from '@pay/directory';
import { hashKey } from '@pay/http';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const MOST_UNKNOWN = 5;
const MOST_OF_DEVICE = 3;

/** With a forwarder app's hook that the copy knows. */
async function hookOf(service: ServiceUnderTest, phone: PhoneUnderTest, adapter: Forwarder): Promise<string> {
  const [id, hookId] = [uuidv7(), newHookId(phone.deviceId)];
  const hooks: DeviceFact['hooks'] = [{ id, adapter, hookHash: hashKey(hookId), sealedSecret: null }];
  await service.db.execute(
    `update directory_facts set data = data || jsonb_build_object('hooks', $2::jsonb) where kind = 'device' and id = $1`,
    [phone.deviceId, JSON.stringify(hooks)],
  );
  return `/v1/sms-events/hooks/${adapter}/${hookId}`;
}

async function post({ url }: ServiceUnderTest, path: string) {
  const body = JSON.stringify({ from: 'bKash', text: bkashSendMoneyText({ amount: '5' }), sim: 'sim1' });
  const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

const anSms = () => ({
  sender: 'bKash',
  message: bkashSendMoneyText({ amount: '5' }),
  receivedAt: new Date().toISOString(),
});
const madeUp = (adapter: Forwarder) => `/v1/sms-events/hooks/${adapter}/${newHookId(uuidv7())}`;

describe('an address that tries unknown device keys and hooks', () => {
  let service: ServiceUnderTest;
  let asked = 0;
  beforeAll(async () => {
    const request = () => Promise.resolve({ device: null } as never).finally(() => (asked += 1));
    const limits = { RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: MOST_UNKNOWN };
    service = await startService({ dashboardApi: { request }, limits });
    await eventually(async () => {
      const { headers } = await phoneApi(service.url, (await aPhone(service.db)).deviceKey).incoming(anSms());
      return Number(headers.get('ratelimit-limit')) - Number(headers.get('ratelimit-remaining')) === 1;
    }, 'the process knows that it is alone, so that every limit is whole here');
  });
  afterAll(() => service.stop());

  it('does not use up the look-ups of others and does not affect known phones behind the same address', async () => {
    const phone = await aPhone(service.db);
    const hook = await hookOf(service, phone, 'piprapay');
    const known = phoneApi(service.url, phone.deviceKey);
    expect((await post(service, hook)).status).toBe(200);
    expect((await known.incoming(anSms())).status).toBe(202);

    // Express routes these to the same handler.
    const otherSpellings = [
      `${madeUp('piprapay')}/`,
      madeUp('piprapay').replace('hooks', 'Hooks'),
      madeUp('piprapay').replace('pipra', 'pipr%61'),
    ];
    const unknownCredentials: number[] = [];
    for (let at = 0; at < MOST_UNKNOWN; at += 1) {
      const key = phoneApi(service.url, newCredential('dk_test_'));
      unknownCredentials.push(
        at % 2 === 0 ? (await post(service, otherSpellings[at / 2] ?? '')).status : (await key.incoming({})).status,
      );
    }
    expect(unknownCredentials).toEqual([404, 401, 404, 401, 404]);
    const before = asked;

    expect(await post(service, madeUp('piprapay'))).toMatchObject({ status: 429, retryAfter: expect.any(String) });
    // To textbee a 429 is the end of a message.
    expect(await post(service, madeUp('textbee'))).toMatchObject({ status: 503, retryAfter: expect.any(String) });
    expect((await phoneApi(service.url, newCredential('dk_test_')).incoming(anSms())).status).toBe(429);
    expect(asked).toBe(before);

    expect((await post(service, hook)).status).toBe(200);
    expect((await known.incoming(anSms())).status).toBe(202);
  });
});

describe('a hook', () => {
  it('is limited per second and address, in the response format of its app, and uses up nothing of the key of its device', async () => {
    const service = await startService({ limits: { RATE_LIMIT_DEVICE_PER_SECOND: MOST_OF_DEVICE } });
    try {
      for (const [adapter, later] of [
        ['piprapay', 429],
        ['textbee', 503],
      ] as const) {
        const phone = await aPhone(service.db);
        const path = await hookOf(service, phone, adapter);
        const answers = await Promise.all(Array.from({ length: 40 }, () => post(service, path)));

        const refused = answers.filter(({ status }) => status === later);
        expect(refused.length).toBeGreaterThan(10);
        expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
        const { status } = await phoneApi(service.url, phone.deviceKey).incoming(anSms());
        expect(status).toBe(202);
      }
    } finally {
      await service.stop();
    }
  });

  it('of an unknown device is answered as temporarily unavailable, not as unknown, while dashboard-api is unavailable', async () => {
    const service = await startService();
    try {
      expect((await post(service, madeUp('textbee'))).status).toBe(503);
    } finally {
      await service.stop();
    }
  });
});
