import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { freePort } from '@pay/local-servers';
import { eventually, failOnLeaks } from '@pay/testing';
import { createAddressGuard } from '../src/adapters/address-guard';
import { createResolveHost } from '../src/adapters/resolve-host';
import { createWebhookClient, type WebhookClient } from '../src/adapters/webhook-client';
import { FLIPPING_HOST, openStreet, scriptedLookup } from './misbehaviour';
import { aMerchant, anEvent, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { SECRET } from './stage';
import { webhookApi } from './webhook-api';

failOnLeaks();

type Street = Awaited<ReturnType<typeof openStreet>>;

/** Of endpoints that let it pass. All others have the deadline of production, because a loaded machine is slow. */
const SHORT_DEADLINE_MS = 1_000;
const MOST_GROWTH = 100_000_000;
const IN_TWO_MINUTES = () => new Date(Date.now() + 120_000).toUTCString();
const after = (seconds: number) => ({ status: 'RETRYING', wait: [seconds, seconds] });
const RETRIED = after(5);
/** Whether a name does not exist or leads to a private address is not shown. */
const UNUSABLE_NAME = { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS', ...RETRIED };

interface Recorded {
  readonly outcome: string;
  readonly httpStatus?: number | null;
  readonly detail?: string;
  readonly status?: string;
  /** Seconds to the next attempt, at least and at most; null when there is none. */
  readonly wait?: readonly number[] | null;
}

/** F10 of reliability.md: what the endpoint does, and what is recorded of the first attempt. */
const ROWS: [string, (street: Street) => Promise<string>, Recorded][] = [
  ['200', (on) => on.status(200), { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null }],
  ['204', (on) => on.status(204), { outcome: 'SUCCESS', httpStatus: 204, status: 'DELIVERED', wait: null }],
  ['500', (on) => on.status(500), { outcome: 'HTTP_5XX', httpStatus: 500, ...RETRIED }],
  ['401', (on) => on.status(401), { outcome: 'HTTP_4XX', httpStatus: 401, ...RETRIED }],
  ['410', (on) => on.status(410), { outcome: 'GONE', httpStatus: 410, ...RETRIED }],
  ...[301, 302, 303, 307, 308].map((status): (typeof ROWS)[number] => [
    `${status} to the metadata service`,
    (on) => on.status(status, { location: 'http://169.254.169.254/latest/meta-data/' }),
    { outcome: 'HTTP_REDIRECT', httpStatus: status, detail: 'http://169.254.169.254/latest/meta-data/', ...RETRIED },
  ]),
  [
    '307 to a private address',
    (on) => on.status(307, { location: `http://127.0.0.2:${on.canary.port}/` }),
    { outcome: 'HTTP_REDIRECT', httpStatus: 307, ...RETRIED },
  ],
  ...(
    [
      ['120', after(120)],
      ['1', RETRIED],
      ['999999999', after(600)],
      ['99999999999999999999', RETRIED],
      ['-5', RETRIED],
      ['soon', RETRIED],
      ['', RETRIED],
      ['Sat, 01 Jan 2000 00:00:00 GMT', RETRIED],
      ['Fri, 31 Dec 9999 23:59:59 GMT', after(600)],
    ] as const
  ).map(([value, then]): (typeof ROWS)[number] => [
    `429 with Retry-After "${value}"`,
    (on) => on.status(429, { 'retry-after': value }),
    { outcome: 'HTTP_4XX', httpStatus: 429, ...then },
  ]),
  [
    '429 with Retry-After as a date in two minutes',
    (on) => on.http((_, response) => response.writeHead(429, { 'retry-after': IN_TWO_MINUTES() }).end()),
    { outcome: 'HTTP_4XX', httpStatus: 429, status: 'RETRYING', wait: [110, 120] },
  ],
  ['accepts and says nothing', (on) => on.raw((socket) => socket.resume()), { outcome: 'TIMEOUT', ...RETRIED }],
  [
    'headers one byte at a time',
    (on) => on.raw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Drip: ')),
    { outcome: 'TIMEOUT', ...RETRIED },
  ],
  [
    'answers after a second',
    (on) => on.http((_, response) => void setTimeout(() => response.end(), 1_000)),
    { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null },
  ],
  [
    'answers after the deadline',
    (on) => on.http((_, response) => void setTimeout(() => response.end(), SHORT_DEADLINE_MS * 1.3).unref()),
    { outcome: 'TIMEOUT', detail: 'DEADLINE', ...RETRIED },
  ],
  [
    'a body one byte at a time after 200',
    (on) => on.raw((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')),
    { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null },
  ],
  [
    'a body of a gigabyte',
    (on) => on.http((_, response) => pour(response.writeHead(500, { 'content-length': String(1 << 30) }))),
    { outcome: 'HTTP_5XX', httpStatus: 500, ...RETRIED },
  ],
  [
    'a bomb of gzip',
    (on) => {
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      return on.http((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    },
    { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null },
  ],
  [
    '100 KB of headers',
    (on) => on.status(200, { 'x-large': 'y'.repeat(100_000) }),
    { outcome: 'PROTOCOL', ...RETRIED },
  ],
  ['a reset before the answer', (on) => on.raw((socket) => socket.resetAndDestroy()), { outcome: 'RESET', ...RETRIED }],
  [
    'a reset within the headers',
    (on) => on.raw((socket) => socket.write('HTTP/1.1 200 OK\r\nX-Cut: ', () => socket.resetAndDestroy())),
    { outcome: 'RESET', ...RETRIED },
  ],
  [
    '200 and a close before the body',
    (on) => on.raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')),
    { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null },
  ],
  ['no HTTP', (on) => on.raw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')), { outcome: 'PROTOCOL', ...RETRIED }],
  [
    'a status that is none',
    (on) => on.raw((socket) => socket.end('HTTP/1.1 2000 OK\r\n\r\n')),
    { outcome: 'PROTOCOL', ...RETRIED },
  ],
  ...['000', '099'].map((status): (typeof ROWS)[number] => [
    `the status ${status}`,
    (on) => on.raw((socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)),
    { outcome: 'PROTOCOL', detail: 'NOT_HTTP', ...RETRIED },
  ]),
  [
    'two lengths',
    (on) => on.raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')),
    { outcome: 'PROTOCOL', ...RETRIED },
  ],
  [
    '103 before 200',
    (on) =>
      on.raw((socket) =>
        socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      ),
    { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null },
  ],
  [
    '102 and nothing more',
    (on) => on.raw((socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
    { outcome: 'TIMEOUT', ...RETRIED },
  ],
  [
    '101 to another protocol',
    (on) =>
      on.raw((socket) => void socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')),
    { outcome: 'PROTOCOL', ...RETRIED },
  ],
  [
    'an unrequested 100',
    (on) =>
      on.raw(
        (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      ),
    { outcome: 'PROTOCOL', ...RETRIED },
  ],
  [
    'no server listens',
    async () => `http://127.0.0.1:${await freePort()}/`,
    { outcome: 'CONNECT', detail: 'ECONNREFUSED', ...RETRIED },
  ],
  ['TLS that is fine', (on) => on.tls(), { outcome: 'SUCCESS', httpStatus: 200, status: 'DELIVERED', wait: null }],
  ['an expired certificate', (on) => on.tls(on.expired), { outcome: 'TLS', detail: 'CERT_HAS_EXPIRED', ...RETRIED }],
  [
    'the certificate of another',
    (on) => on.tls({ host: 'other.test' }),
    { outcome: 'TLS', detail: 'ERR_TLS_CERT_ALTNAME_INVALID', ...RETRIED },
  ],
  [
    'TLS 1.0',
    (on) => on.tls({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    { outcome: 'TLS', ...RETRIED },
  ],
  ['an unknown name', () => Promise.resolve('http://nobody.test/'), UNUSABLE_NAME],
  ['DNS that fails', () => Promise.resolve('http://broken.test/'), UNUSABLE_NAME],
  ['DNS that hangs', () => Promise.resolve('http://hanging.test/'), UNUSABLE_NAME],
  [
    'a private address beside a public one',
    (on) => Promise.resolve(`http://bait.test:${on.canary.port}/`),
    UNUSABLE_NAME,
  ],
];

describe('endpoints that misbehave (F10)', () => {
  let service: ServiceUnderTest;
  let street: Street;
  let hasty: WebhookClient;
  let merchant: MerchantUnderTest;
  let isFlipped = false;
  const endpoints = new Map<string, string>();
  const attempts = new Map<string, Record<string, any>>();
  let flipping: string;
  let grownBy = 0;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    street = await openStreet();
    const guard = createAddressGuard(['127.0.0.1/32']);
    const resolveHost = createResolveHost(scriptedLookup(() => isFlipped));
    const options = { guard, resolveHost, tls: { ca: street.ca } };
    const client = createWebhookClient(options);
    hasty = createWebhookClient({ ...options, deadlineMs: SHORT_DEADLINE_MS });
    const late = new Set<string>();
    const post: WebhookClient['post'] = (request) => (late.has(request.url) ? hasty : client).post(request);
    service = await startService({ network: { guard, client: { ...client, post } } });
    merchant = await aMerchant(service.db);
    const register = async (url: string): Promise<string> => {
      const { status, body } = await api.register(merchant, { url, secret: SECRET });
      expect(status).toBe(201);
      return body.id;
    };
    for (const [name, open, { outcome }] of ROWS) {
      const url = await open(street);
      if (outcome === 'TIMEOUT') late.add(url);
      endpoints.set(name, await register(url));
    }
    flipping = await register(
      await street.named(FLIPPING_HOST, (_, response) => {
        // Before the response, because the second attempt may be before the test.
        isFlipped = true;
        response.writeHead(500, { connection: 'close' }).end();
      }),
    );

    const before = memory(0);
    await service.announce(anEvent('intent.paid', merchant));
    await eventually(
      async () => {
        grownBy = Math.max(grownBy, memory(before + MOST_GROWTH) - before);
        const rows = await service.db.query<Record<string, any>>(
          `select d.endpoint_id, d.status, d.attempt, a.outcome, a.http_status, a.detail, length(a.response) as response_length,
             extract(epoch from d.next_attempt_at - a.finished_at)::float8 as wait
           from deliveries d join attempts a on a.delivery_id = d.id and a.attempt = 1
           where d.merchant_id = $1 and a.outcome is not null`,
          [merchant.id],
        );
        for (const row of rows) if (!attempts.has(row['endpoint_id'])) attempts.set(row['endpoint_id'], row);
        return attempts.size === ROWS.length + 1;
      },
      'each has been tried once',
      { timeoutMs: 25_000 },
    );
  });
  afterAll(async () => {
    await service.stop();
    await hasty.close();
    await street.close();
  });

  test.each(ROWS)('%s', (name, _open, { outcome, httpStatus = null, detail, status, wait }) => {
    const attempt = attempts.get(endpoints.get(name)!);

    expect(attempt).toMatchObject({ outcome, status, http_status: httpStatus, ...(detail && { detail }) });
    expect(attempt!['response_length'] ?? 0).toBeLessThanOrEqual(8_192);
    const [least, most] = wait ?? [];
    if (least === undefined || most === undefined) {
      expect(attempt!['wait']).toBeNull();
      return;
    }
    expect(attempt!['wait']).toBeGreaterThanOrEqual(least - 0.01);
    expect(attempt!['wait']).toBeLessThanOrEqual(most + 0.01);
  });

  test('does not connect to a name that resolves to a private address at the second attempt', async () => {
    expect(attempts.get(flipping)).toMatchObject({ outcome: 'HTTP_5XX' });
    await service.db.execute(
      'update deliveries set next_attempt_at = now() where endpoint_id = $1 and attempt = 1 and lease_owner is null',
      [flipping],
    );
    const second = await eventually(async () => {
      const [row] = await service.db.query<Record<string, any>>(
        `select a.outcome, d.status from attempts a join deliveries d on d.id = a.delivery_id
         where d.endpoint_id = $1 and a.attempt = 2 and a.outcome is not null`,
        [flipping],
      );
      return row;
    }, 'it is tried again');

    expect(second).toEqual({ outcome: 'DNS', status: 'RETRYING' });
  });

  test('never connects to a non-public address, and limits the memory for responses', () => {
    expect(street.canary.connections).toBe(0);
    expect(grownBy).toBeLessThan(MOST_GROWTH);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Above a limit it is measured without garbage. Each collection stops the process, also the timers under test. */
function memory(limit: number): number {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  if (used() >= limit) collectGarbage();
  return used();
}

function drip(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write('x'), 100);
  socket.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
