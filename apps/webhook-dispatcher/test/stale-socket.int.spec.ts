import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { eventually, failOnLeaks } from '@pay/testing';
import { createAddressGuard } from '../src/adapters/address-guard';
import { createResolveHost } from '../src/adapters/resolve-host';
import { createWebhookClient, type WebhookClient, type WebhookResponse } from '../src/adapters/webhook-client';
import { openStreet, scriptedLookup } from './misbehaviour';
import { anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

interface Seen {
  readonly id: unknown;
  readonly attempt: number;
  readonly socket: Socket;
}

/**
 * The first request on each socket gets `status`; the next one finds the socket closed, in the instant that it arrives.
 */
function closingShop(cut: (socket: Socket) => void) {
  const seen: Seen[] = [];
  const script: { first: () => number | 'cut' | 'hold' } = { first: () => 200 };
  const used = new WeakSet<Socket>();
  const listener: RequestListener = ({ headers, socket }, response) => {
    const isFirst = !used.has(socket);
    used.add(socket);
    seen.push({ id: headers['x-webhook-id'], attempt: Number(headers['x-webhook-attempt']), socket });
    const answer = isFirst ? script.first() : 'cut';
    if (answer === 'cut') cut(socket);
    else if (answer !== 'hold') response.writeHead(answer).end();
  };
  return { seen, script, listener };
}

describe('requests on a kept-alive socket', () => {
  let street: Awaited<ReturnType<typeof openStreet>>;
  let client: WebhookClient;
  const post = async (url: string, over: object = {}): Promise<WebhookResponse> => {
    const answer = await client.post({ url, environment: 'SANDBOX', headers: {}, body: '{}', ...over });
    // A socket is free for the next request a turn after its answer has been read.
    await turn();
    return answer;
  };

  beforeAll(async () => {
    street = await openStreet();
    const resolveHost = createResolveHost(scriptedLookup(() => false));
    client = createWebhookClient({ guard: createAddressGuard(['127.0.0.1/32']), resolveHost, tls: { ca: street.ca } });
  });
  afterAll(async () => {
    await client.close();
    await street.close();
  });

  test.each([
    ['closed', (listener: RequestListener) => street.http(listener), (socket: Socket) => void socket.destroy()],
    ['reset', (listener: RequestListener) => street.http(listener), (socket: Socket) => void socket.resetAndDestroy()],
    [
      'of TLS, closed',
      (listener: RequestListener) => street.tls({ listener }),
      (socket: Socket) => void socket.destroy(),
    ],
  ])('%s before a byte of the answer: a stale socket', async (_, open, cut) => {
    const url = await open(closingShop(cut).listener);
    expect(await post(url)).toMatchObject({ outcome: 'SUCCESS' });

    expect(await post(url)).toMatchObject({ outcome: 'STALE_SOCKET' });
  });

  test('closed once the answer had begun: a reset', async () => {
    const url = await street.http(closingShop((socket) => void socket.end('HTTP/1.1 2')).listener);
    await post(url);

    expect(await post(url)).toMatchObject({ outcome: 'RESET' });
  });

  test('a fresh one beside it: nothing was sent on that before, and its reset is a reset', async () => {
    const shop = closingShop((socket) => void socket.resetAndDestroy());
    const url = await street.http(shop.listener);
    await post(url);
    const fresh = await post(url, { onFreshSocket: true });
    shop.script.first = () => 'cut';

    expect(fresh).toMatchObject({ outcome: 'SUCCESS' });
    expect(await post(url, { onFreshSocket: true })).toMatchObject({ outcome: 'RESET' });
    expect(new Set(shop.seen.map(({ socket }) => socket)).size).toBe(3);
  });
});

describe('deliveries on a socket that the endpoint has closed', () => {
  // The first retry is 50 seconds after a failure instead of 5, so that a test can see what is stored before it.
  const on = stage(10);
  let street: Awaited<ReturnType<typeof openStreet>>;

  beforeAll(async () => {
    street = await openStreet();
  });
  afterAll(() => street.close());

  /** An endpoint that has had one delivery, and the next one, as the database has it once its schedule goes on. */
  async function secondDelivery(shop: ReturnType<typeof closingShop>, settled: string) {
    const id = await on.register({ url: await street.http(shop.listener) });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const { id: first } = await on.settled('DELIVERED');
    return {
      endpoint: async () => (await on.service.db.query('select * from endpoints where id = $1', [id]))[0],
      delivery: async () => {
        await on.service.announce(anEvent('intent.paid', on.merchant));
        return eventually(async () => {
          const [row] = await on.service.db.query<any>(
            `select *, extract(epoch from next_attempt_at -
               (select max(finished_at) from attempts where delivery_id = deliveries.id))::float8 as wait from deliveries
             where merchant_id = $1 and id <> $2 and status = $3 and lease_owner is null`,
            [on.merchant.id, first, settled],
          );
          return row;
        }, `it becomes ${settled}`);
      },
    };
  }

  test('are sent immediately on a new socket: two attempts, one X-Webhook-Id, and no failure of the endpoint', async () => {
    const shop = closingShop((socket) => void socket.destroy());
    const { endpoint, delivery } = await secondDelivery(shop, 'DELIVERED');
    const { id, attempt, schedule_from } = await delivery();

    expect({ attempt, schedule_from }).toEqual({ attempt: 2, schedule_from: 1 });
    expect(await on.attemptsOf(id)).toMatchObject([
      { outcome: 'STALE_SOCKET', http_status: null, trigger: 'schedule', worker_id: expect.any(String) },
      { outcome: 'SUCCESS', http_status: 200, trigger: 'schedule', worker_id: expect.any(String) },
    ]);
    expect(shop.seen.map((request) => [request.id === id, request.attempt])).toEqual([
      [false, 1],
      [true, 1],
      [true, 2],
    ]);
    expect(await endpoint()).toMatchObject({ failing_since: null, failed_attempts: 0, breaker_failures: 0 });
  });

  test('that are reset on the new socket too wait for the first scheduled retry', async () => {
    const shop = closingShop((socket) => void socket.resetAndDestroy());
    const { endpoint, delivery } = await secondDelivery(shop, 'RETRYING');
    shop.script.first = () => 'cut';
    const { id, wait } = await delivery();

    expect(await on.attemptsOf(id)).toMatchObject([{ outcome: 'STALE_SOCKET' }, { outcome: 'RESET' }]);
    expect(wait).toBeGreaterThan(49.9);
    expect(wait).toBeLessThanOrEqual(50.1);
    expect(shop.seen).toHaveLength(3);
    expect(await endpoint()).toMatchObject({ failed_attempts: 1, breaker_failures: 1 });
  });

  test('are not sent again to an endpoint that was deleted in between', async () => {
    const remove = () =>
      on.service.db.execute('update endpoints set deleted_at = now() where merchant_id = $1', [on.merchant.id]);
    const shop = closingShop((socket) => void remove().then(() => socket.destroy()));
    const { delivery } = await secondDelivery(shop, 'FAILED');
    const { id } = await delivery();

    expect((await on.attemptsOf(id)).map(({ outcome }) => outcome)).toEqual(['STALE_SOCKET']);
    expect(shop.seen).toHaveLength(2);
  });

  test('whose process dies after the first request are claimed again, and a late response changes nothing', async () => {
    const shop = closingShop((socket) => void socket.destroy());
    const { delivery } = await secondDelivery(shop, 'DELIVERED');
    shop.script.first = () => 'hold';
    const delivered = delivery();
    const lost = await eventually(() => shop.seen[2], 'the second request is on its way');
    shop.script.first = () => 200;
    await on.service.db.execute('update deliveries set next_attempt_at = now() where id = $1', [lost.id]);
    expect(await delivered).toMatchObject({ id: lost.id, attempt: 3 });
    expect((await on.attemptsOf(String(lost.id)))[1]).toMatchObject({ outcome: 'UNKNOWN' });
    lost.socket.end('HTTP/1.1 500 Late\r\nContent-Length: 0\r\n\r\n');
    const attempts = await eventually(async () => {
      const rows = await on.attemptsOf(String(lost.id));
      return rows[1]!['outcome'] === 'HTTP_5XX' && rows;
    }, 'the late answer is kept');

    expect(attempts.map(({ outcome }) => outcome)).toEqual(['STALE_SOCKET', 'HTTP_5XX', 'SUCCESS']);
    expect(await on.settled('DELIVERED')).toMatchObject({ id: lost.id, attempt: 3, statusCode: 200 });
  });
});
