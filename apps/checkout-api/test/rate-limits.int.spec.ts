import type { DecideClaimResponse } from '@pay/contracts';
import { aRandomTrxId, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { checkoutCustomer, type Reply } from './checkout-customer';
import { guessTrxIds } from './guess-trx-ids';
import { aMerchant, anIntent, given, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const SETTINGS = {
  RATE_LIMIT_VIEWS_PER_MINUTE: 6,
  RATE_LIMIT_ADDRESS_PER_MINUTE: 30,
  RATE_LIMIT_CONFIRMS_PER_MINUTE: 4,
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: 8,
};

describe('rate limits of checkout', () => {
  let service: ServiceUnderTest;
  let addresses = 0;
  const customer = checkoutCustomer(() => service);

  const decision = (
    outcome: DecideClaimResponse['outcome'],
    intentStatus: DecideClaimResponse['intentStatus'] = 'PENDING',
  ) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome, smsEventId: null, intentStatus } satisfies DecideClaimResponse),
  });
  const anAddress = () => `198.51.100.${(addresses += 1)}`;
  const view = (id: string, address: string) =>
    customer.call('GET', `/v1/checkout/${id}`, undefined, { 'x-forwarded-for': address });
  const confirm = (id: string, address: string, trxId = aRandomTrxId()) =>
    customer.call('POST', `/v1/checkout/${id}/confirm`, JSON.stringify({ trxId }), { 'x-forwarded-for': address });
  const statusesOf = async (times: number, send: () => Promise<Reply>): Promise<number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < times; sent += 1) statuses.push((await send()).status);
    return statuses;
  };
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  beforeAll(async () => {
    service = await startService({ limits: SETTINGS });
    await aMerchant(service.db, ['BKASH_SEND_MONEY']);
    await eventually(async () => {
      const { headers } = await view((await given(service, anIntent())).id, anAddress());
      return headers.get('ratelimit-remaining') === '5';
    }, 'the process knows that it is alone');
  });
  afterAll(() => service.stop());
  beforeEach(() => service.reconciler.respondWith(() => decision('waiting')));

  it('limits views per address and intent, and not those of other intents or addresses', async () => {
    const [one, other] = [await given(service, anIntent()), await given(service, anIntent())];
    const address = anAddress();

    expect(await statusesOf(8, () => view(one.id, address))).toEqual([...times(6, 200), ...times(2, 429)]);
    const refused = await view(one.id.toUpperCase(), address);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('ratelimit-limit')).toBe('6');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await view(other.id, address)).status).toBe(200);
    expect((await view(one.id, anAddress())).status).toBe(200);
  });

  it('limits views of any known and unknown intents per address', async () => {
    const address = anAddress();
    const statuses = await statusesOf(40, () => view(uuidv7(), address));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    expect((await view(uuidv7(), anAddress())).status).not.toBe(429);
  });

  it('counts all addresses of an IPv6 /64 as one', async () => {
    const { id } = await given(service, anIntent());
    let host = 0;
    const statuses = await statusesOf(8, () => view(id, `2001:db8:7:7::${(host += 1).toString(16)}`));
    expect(statuses).toEqual([...times(6, 200), ...times(2, 429)]);
  });

  it('limits confirms per intent from any addresses', async () => {
    const { id } = await given(service, anIntent());
    expect(await statusesOf(6, () => confirm(id, anAddress()))).toEqual([...times(4, 200), ...times(2, 429)]);
  });

  it('limits unsuccessful confirms per address beyond the first two of each intent; those that pay do not count', async () => {
    const address = anAddress();
    // Created before they are counted, because part of the limit would be refilled meanwhile on a slow machine.
    const intents = await Promise.all(Array.from({ length: 12 }, () => given(service, anIntent())));
    const confirmAll = async (some: typeof intents) =>
      (await Promise.all(some.flatMap(({ id }) => [1, 2, 3, 4].map(() => confirm(id, address))))).map(
        ({ status }) => status,
      );
    service.reconciler.respondWith(() => decision('matched', 'PAID'));
    expect(await confirmAll(intents.slice(0, 4))).toEqual(expect.not.arrayContaining([400, 429, 500, 503]));

    service.reconciler.respondWith(() => decision('waiting'));
    // Two of four are counted, so these exceed the limit by far.
    expect(await confirmAll(intents.slice(4))).toContain(429);
    const other = await given(service, anIntent());
    expect(await statusesOf(2, () => confirm(other.id, address))).toEqual([200, 200]);
    expect((await confirm((await given(service, anIntent())).id, anAddress())).status).toBe(200);
  });

  it('limits confirms of invented intents per address, without refusing other customers of the address', async () => {
    const address = anAddress();
    const intent = await given(service, anIntent());
    service.intentApi.respondWith(() => ({ status: 404 }));

    const invented = await Promise.all(Array.from({ length: 40 }, () => confirm(uuidv7(), address)));
    const statuses = invented.map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([404, 429]));
    expect((await confirm(intent.id, address)).status).toBe(200);
  });

  it('counts neither malformed TrxIDs nor slow decisions', async () => {
    const address = anAddress();
    const intents = await Promise.all(Array.from({ length: 18 }, () => given(service, anIntent())));
    // One after the other, because a request counts until its response.
    const four = async (some: typeof intents, send: (id: string) => Promise<number>) => {
      const statuses: number[] = [];
      for (const { id } of some) for (let sent = 0; sent < 4; sent += 1) statuses.push(await send(id));
      return statuses;
    };
    const form = async (id: string) => {
      const body = new URLSearchParams({ trxId: '!' });
      const headers = { 'x-forwarded-for': address };
      const url = `${service.url}/checkout/${id}/confirm`;
      return (await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status;
    };

    expect(await four(intents.slice(0, 6), async (id) => (await confirm(id, address, '!')).status)).toEqual(
      times(24, 400),
    );
    expect(await four(intents.slice(6, 12), form)).toEqual(times(24, 303));
    service.reconciler.respondWith(() => ({ status: 503 }));
    const slow = await four(intents.slice(12), async (id) => {
      const { status, body } = await confirm(id, address);
      expect(body).toMatchObject({ reason: 'processing' });
      return status;
    });
    expect(slow).toEqual(times(24, 200));
  });

  it('stops 10,000 random TrxIDs against an intent without revealing anything or affecting other customers of the same address', async () => {
    const GUESSES = 10_000;
    const { id } = await given(service, anIntent());
    const [guesser, callers] = [anAddress(), Array.from({ length: 50 }, anAddress)];
    const asked = () => service.reconciler.requests.filter(({ rawBody }) => rawBody.includes(id)).length;
    let outcome: 'waiting' | 'not_found' = 'waiting';
    service.reconciler.respondWith(() => {
      // Every other TrxID is a real one of another intent.
      outcome = outcome === 'waiting' ? 'not_found' : 'waiting';
      return decision(outcome);
    });
    // Compared here without load, because a flood may leave no time for a decision.
    const quiet = [await confirm(id, guesser), await confirm(id, guesser)];
    expect(quiet.map(({ status }) => status)).toEqual([200, 200]);
    expect(quiet[1]?.body).toEqual(quiet[0]?.body);
    const begun = performance.now();
    const { answered, answers } = guessTrxIds(service.url, id, {
      times: GUESSES,
      connections: 8,
      addressOf: (guess) => (guess % 2 === 0 ? guesser : (callers[guess % callers.length] ?? guesser)),
    });
    await eventually(() => answered() > 0, 'the guessing is under way');
    const victims = await Promise.all([1, 2].map(async () => (await given(service, anIntent())).id));
    const others = await Promise.all(victims.map((victim, n) => confirm(victim, n === 0 ? guesser : anAddress())));

    const results = await answers;
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect(results).toHaveLength(GUESSES);
    const served = results.filter((answer) => !answer.startsWith('429'));
    // The limit, plus the refill during the test.
    const minutes = Math.ceil((performance.now() - begun) / 60_000);
    const most = SETTINGS.RATE_LIMIT_CONFIRMS_PER_MINUTE * (1 + minutes);
    expect(served.length).toBeLessThanOrEqual(most);
    // A late decision reveals nothing about the TrxID; a decision in time equals the response without load.
    const decided = served.filter((answer) => !answer.includes('processing'));
    const oneAnswer = `200 ${JSON.stringify(quiet[0]?.body)}`;
    expect(decided).toEqual(decided.map(() => oneAnswer));
    expect(asked()).toBeLessThanOrEqual(most);
    // A busy machine needs minutes for so many requests.
  }, 300_000);
});
