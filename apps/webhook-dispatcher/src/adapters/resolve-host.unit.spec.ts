import { createSocket } from 'node:dgram';
import { isDeepStrictEqual } from 'node:util';
import { askServers, createResolveHost, type Lookup, type ResolveHost } from './resolve-host';

const clock = { now: 0 };
const counting = (answer: () => ReturnType<Lookup>): { asked: () => number; resolve: ResolveHost } => {
  let count = 0;
  const resolve = createResolveHost(
    () => {
      count += 1;
      return answer();
    },
    () => clock.now,
  );
  return { asked: () => count, resolve };
};

test('results are cached for their TTL, at most a minute, and concurrent callers share a query', async () => {
  const { asked, resolve } = counting(() => Promise.resolve({ addresses: ['8.8.8.8'], ttlMs: 3_600_000 }));
  await Promise.all([resolve('a.test'), resolve('a.test')]);
  expect(asked()).toBe(1);

  clock.now += 59_000;
  await resolve('a.test');
  expect(asked()).toBe(1);
  clock.now += 2_000;
  await resolve('a.test');
  expect(asked()).toBe(2);
});

test('a failure is cached for five seconds', async () => {
  const { asked, resolve } = counting(() => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })));
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS', detail: 'ESERVFAIL' });
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS' });
  expect(asked()).toBe(1);

  clock.now += 6_000;
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS' });
  expect(asked()).toBe(2);
});

test('a query without a response fails after two seconds', async () => {
  const { resolve } = counting(() => new Promise(() => undefined));

  await expect(resolve('c.test')).rejects.toMatchObject({ outcome: 'DNS', detail: 'ETIMEOUT' });
});

describe('a DNS server', () => {
  const server = createSocket('udp4');
  const answered = new Map<number, Buffer>();
  const lost = new Set<number>();
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, HEADER_BYTES) + 1;
    const type = query.readUInt16BE(end);
    const record = answered.get(type);
    if (record === undefined || lost.delete(type)) return;
    const count = record.length === 0 ? 0 : 1;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(RESPONSE_FLAGS, 2);
    for (const [place, number] of [1, count, 0, 0].entries()) header.writeUInt16BE(number, 4 + 2 * place);
    server.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), record]), port, address);
  });

  beforeAll(() => new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  afterEach(() => {
    answered.clear();
    lost.clear();
  });

  /** Loses the first query of these types. A busy machine may delay the answers of some look-ups, a defect of all. */
  async function expectAddresses(name: string, addresses: readonly string[], losing: readonly number[] = []) {
    const results: unknown[] = [];
    while (results.length < TRIES && !results.some((found) => isDeepStrictEqual(found, addresses))) {
      for (const type of losing) lost.add(type);
      const resolve = createResolveHost(askServers([`127.0.0.1:${server.address().port}`]));
      const found = await resolve(`${name}${results.length}.test`).catch((error: unknown) => [String(error)]);
      results.push([...found].sort());
    }
    expect(results).toContainEqual(addresses);
  }

  test('that drops AAAA queries still gives the A record', async () => {
    answered.set(A, recordOf(A, [93, 184, 216, 34]));

    await expectAddresses('d', ['93.184.216.34']);
  });

  test('that drops A queries still gives the AAAA record', async () => {
    answered.set(AAAA, recordOf(AAAA, [0x2a, 0, ...Array<number>(13).fill(0), 1]));

    await expectAddresses('e', ['2a00::1']);
  });

  test('that loses the first A query gives both addresses', async () => {
    answered.set(A, recordOf(A, [93, 184, 216, 34]));
    answered.set(AAAA, recordOf(AAAA, [0x2a, 0, ...Array<number>(13).fill(0), 1]));

    await expectAddresses('g', ['2a00::1', '93.184.216.34'], [A]);
  });

  test('that has no AAAA record and loses the first A query leaves no rejection unhandled', async () => {
    answered.set(A, recordOf(A, [93, 184, 216, 34]));
    answered.set(AAAA, Buffer.alloc(0));
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);

    await expectAddresses('h', ['93.184.216.34'], [A]);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('that answers both gives both addresses, so that both are checked', async () => {
    answered.set(A, recordOf(A, [93, 184, 216, 34]));
    answered.set(AAAA, recordOf(AAAA, [0x2a, 0, ...Array<number>(13).fill(0), 1]));

    await expectAddresses('f', ['2a00::1', '93.184.216.34']);
  });
});

const TRIES = 4;
const HEADER_BYTES = 12;
const RESPONSE_FLAGS = 0x8180;
const A = 1;
const AAAA = 28;

const recordOf = (type: number, address: readonly number[]): Buffer =>
  Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
