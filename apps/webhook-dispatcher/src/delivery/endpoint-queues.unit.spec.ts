import { EndpointQueues } from './endpoint-queues';
import type { Waiting } from './pending-send';

interface Item {
  readonly id: string;
  readonly endpointId: string;
  readonly attempt: number;
  readonly isFailing: boolean;
  readonly isDrained: boolean;
}

const WELL = { isFailing: false, isDrained: false };
const endpoint = (id: string, isVerified = false, failingSince: Date | null = null) => ({
  id,
  isVerified,
  failingSince,
});

function underTest(
  over: { slots?: number; slotsPerEndpoint?: number; slotsForFirst?: number; random?: () => number } = {},
) {
  const sent: string[] = [];
  const released: string[] = [];
  const open = new Map<
    string,
    { answer: (ok?: boolean, ms?: number) => Promise<void>; record: (again?: Item) => Promise<void> }
  >();
  const time = { now: 0 };
  const room = { rings: 0 };
  const spentHosts = new Set<string>();
  const queues = new EndpointQueues<Item>({
    slots: 4,
    slotsPerEndpoint: 2,
    slotsForFirst: 1,
    random: () => 0,
    ...over,
    clock: () => time.now,
    onRoom: () => (room.rings += 1),
    isSpent: (host) => spentHosts.has(host),
    release: async (items) => void released.push(...items.map(({ id }) => id)),
    send: ({ id }) => {
      sent.push(id);
      const answered = deferred<{ ok: boolean; ms: number }>();
      const recorded = deferred<Waiting<Item> | undefined>();
      open.set(id, {
        answer: async (ok = true, ms = 1) => {
          answered.resolve({ ok, ms });
          await turn();
        },
        record: async (again) => {
          recorded.resolve(again && { item: again, leasedAt: time.now });
          await turn();
        },
      });
      return { answered: answered.promise, recorded: recorded.promise };
    },
  });
  const finish = async (id: string, ok = true, ms = 1): Promise<void> => {
    await open.get(id)!.answer(ok, ms);
    await open.get(id)!.record();
  };
  return { queues, spentHosts, sent, released, open, time, room, finish };
}

function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => (resolve = done));
  return { promise, resolve };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const items = (endpointId: string, count: number, attempt = 1, over: Partial<Item> = {}): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${endpointId}${index + 1}`,
    endpointId,
    attempt,
    ...WELL,
    ...over,
  }));

test('limits an endpoint to its slots; the next delivery starts at the response, before its record', async () => {
  const { queues, sent, open } = underTest();
  queues.add(items('a', 3), 0);
  expect(sent).toEqual(['a1', 'a2']);

  await open.get('a1')!.answer();

  expect(sent).toEqual(['a1', 'a2', 'a3']);
  expect(queues.inFlight).toBe(2);
});

test('does not use the slots of other endpoints for one that hangs', async () => {
  const { queues, sent, finish } = underTest({ slots: 5 });
  queues.add(items('hangs', 10), 0);
  queues.add(items('b', 3), 0);
  expect(sent).toEqual(['hangs1', 'hangs2', 'b1', 'b2']);

  await finish('b1');
  await finish('b2');

  expect(sent.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
});

test('serves the endpoint that waited longest first when all slots are in use', async () => {
  const { queues, sent, open } = underTest({ slots: 2, slotsForFirst: 0 });
  queues.add(items('a', 3), 0);
  queues.add(items('b', 1), 0);
  queues.add(items('c', 1), 0);

  await open.get('a1')!.answer();
  await open.get('a2')!.answer();

  expect(sent).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('sends to an idle endpoint immediately while 32 endpoints that hang have deliveries for all slots', () => {
  const { queues, sent } = underTest({ slots: 200, slotsPerEndpoint: 8, slotsForFirst: 50 });
  for (let hanging = 0; hanging < 32; hanging += 1) queues.add(items(`hangs ${hanging} `, 8), 0);

  queues.add(items('healthy', 1), 0);

  expect(sent).toContain('healthy1');
});

describe('the reserved slots', () => {
  const RESERVED = { slots: 3, slotsPerEndpoint: 2, slotsForFirst: 1 };

  test('are used neither by a slow endpoint nor by a second request, until another slot is free', async () => {
    const { queues, sent, open, finish } = underTest(RESERVED);
    queues.add(items('slow', 1), 0);
    await finish('slow1', true, 1_001);
    queues.add(items('hangs', 2), 0);
    queues.add([{ ...WELL, id: 'slow2', endpointId: 'slow', attempt: 1 }], 0);
    queues.add(items('healthy', 2), 0);
    expect(sent).toEqual(['slow1', 'hangs1', 'hangs2', 'healthy1']);

    await open.get('healthy1')!.answer();
    expect(sent.slice(4)).toEqual(['healthy2']);
    await open.get('hangs1')!.answer();
    await open.get('hangs2')!.answer();
    expect(sent.slice(5)).toEqual(['slow2']);
  });

  test('are not used by repeated attempts and failing endpoints', () => {
    const { queues, sent } = underTest(RESERVED);
    queues.add(items('hangs', 2), 0);
    queues.add(items('repeated', 1, 2), 0);
    queues.add(items('failing', 1, 1, { isFailing: true }), 0);

    queues.add(items('healthy', 1), 0);

    expect(sent).toEqual(['hangs1', 'hangs2', 'healthy1']);
  });
});

test('allows a queue for an endpoint that answers fast, until a failure', async () => {
  const { queues, finish } = underTest({ slotsPerEndpoint: 2 });
  const roomOf = (endpointId: string): number => queues.room().named.get(endpointId) ?? queues.room().perEndpoint;
  queues.noteBacklog(['a']);
  queues.add(items('a', 4), 0);
  for (const id of ['a1', 'a2', 'a3']) await finish(id);
  expect(roomOf('a')).toBe(2 + 3 - 1);

  await finish('a4', false);

  expect(roomOf('a')).toBe(2);
});

test('removes the queue after a slow success too', async () => {
  const { queues, finish } = underTest();
  queues.add(items('a', 2), 0);
  await finish('a1');
  await finish('a2', true, 1_500);

  expect(queues.room().named.get('a')).toBeUndefined();
});

test('a plan leases deliveries while slots are free, and no more of an endpoint after a refusal', async () => {
  const { queues, finish } = underTest();
  queues.add(items('a', 1), 0);
  const mayLease = queues.plan();
  expect([mayLease(endpoint('a')), mayLease(endpoint('a')), mayLease(endpoint('b'))]).toEqual([true, false, true]);

  await finish('a1');

  expect(mayLease(endpoint('a'))).toBe(false);
});

test('newer deliveries do not overtake a backlog until a claim returns fewer than there was room for', () => {
  const { queues } = underTest();
  queues.noteBacklog(['a']);
  const room = queues.room();
  expect(queues.plan()(endpoint('a'))).toBe(false);

  queues.claimed(room, items('a', 2));
  expect(queues.plan()(endpoint('a'))).toBe(false);
  queues.claimed(room, items('a', 1));
  expect(queues.plan()(endpoint('a'))).toBe(true);
});

test('an endpoint for which a claim filled all free slots may have a backlog', () => {
  const { queues } = underTest();

  queues.claimed(queues.room(), items('a', 2));

  expect(queues.plan()(endpoint('a'))).toBe(false);
});

test('a claim that is limited by the total does not clear the backlog of others', () => {
  const { queues } = underTest();
  queues.noteBacklog(['a']);

  queues.claimed({ ...queues.room(), total: 1 }, items('b', 1));

  expect(queues.plan()(endpoint('a'))).toBe(false);
});

test('one of eight claims prefers the oldest deliveries of endpoints with a single slot, if it is not a reserved one', () => {
  const preferred = (random: number, leased = 0): boolean => {
    const { queues } = underTest({ slots: 4, slotsForFirst: 1, random: () => random });
    queues.add(items('a', leased, 5), 0);
    return queues.room().isOldestPreferred;
  };

  expect([0, 0.87, 0.875, 0.999].map((random) => preferred(random))).toEqual([false, false, true, true]);
  expect(preferred(0.999, 3)).toBe(false);
});

test.each([
  [3, true, true],
  [2, true, false],
  [3, false, false],
  [4, false, true],
])(
  'after %i repeated attempts in 3 unreserved of 4 slots, the oldest preferred (%p), another claim follows: %p',
  (count, isOldestPreferred, expected) => {
    const { queues } = underTest({ slots: 4, slotsForFirst: 1 });
    queues.noteBacklog(['b']);

    expect(queues.claimed({ ...queues.room(), isOldestPreferred }, items('a', count, 5))).toBe(expected);
    // Unless the claim certainly found no delivery of it.
    expect(queues.plan()(endpoint('b'))).toBe(count < 3);
  },
);

test('repeated attempts and attempts to failing endpoints do not use the reserved slots', () => {
  const { queues } = underTest({ slots: 4, slotsForFirst: 1 });
  expect(queues.room().unreserved).toBe(3);

  queues.add(items('a', 1, 5), 0);
  expect(queues.room().unreserved).toBe(2);
  queues.add(items('b', 1, 1, { isFailing: true }), 0);

  expect(queues.room().unreserved).toBe(1);
});

test('a plan leases no delivery of a failing endpoint when only reserved slots are left', () => {
  const { queues } = underTest({ slots: 4, slotsForFirst: 1 });
  queues.add(items('a', 2, 5), 0);
  const mayLease = queues.plan();

  const failing = ['b', 'c', 'd'].map((id) => mayLease(endpoint(id, false, new Date(0))));

  expect(failing).toEqual([true, false, false]);
  expect(mayLease(endpoint('e'))).toBe(true);
});

test('a claim that is limited by unreserved slots clears the backlog of drained endpoints only', () => {
  const { queues } = underTest();
  queues.noteBacklog(['drained', 'limited', 'none']);
  const room = { ...queues.room(), unreserved: 0 };

  queues.claimed(room, [...items('drained', 1, 1, { isDrained: true }), ...items('limited', 1)]);

  const mayLease = queues.plan();
  expect(['drained', 'limited', 'none'].map((id) => mayLease(endpoint(id)))).toEqual([true, false, false]);
});

test('a backlog causes a claim only while its endpoint has free slots', () => {
  const { queues } = underTest();
  expect(queues.noteBacklog(['a'])).toBe(true);

  queues.add(items('a', 2), 0);

  expect(queues.noteBacklog(['a'])).toBe(false);
  expect(queues.noteBacklog(['a', 'b'])).toBe(true);
  expect(queues.noteBacklog([])).toBe(false);
});

test('a free slot is reported for a known backlog when a request ends, and not without a backlog', async () => {
  const { queues, room, finish } = underTest();
  queues.noteBacklog(['a']);
  queues.add(items('a', 2), 0);
  queues.add(items('b', 1), 0);

  await finish('b1');
  expect(room.rings).toBe(0);
  await finish('a1');
  expect(room.rings).toBe(1);
});

test('releases deliveries that have waited too long for their lease instead of sending them', async () => {
  const { queues, sent, released, time, open } = underTest();
  queues.add(items('a', 5), 0);
  time.now = 25_000;
  queues.releaseLate();
  await open.get('a1')!.answer();

  expect(sent).toEqual(['a1', 'a2']);
  expect(released).toEqual(['a3', 'a4', 'a5']);
});

test('a process that was suspended past its lease does not send when it resumes', async () => {
  const { queues, sent, released, time, open } = underTest();
  queues.add(items('a', 3), 0);
  time.now = 60_000;
  await open.get('a1')!.answer();

  expect(sent).toEqual(['a1', 'a2']);
  expect(released).toEqual(['a3']);
});

test('closing releases waiting deliveries, accepts no more, and is idle when everything is recorded', async () => {
  const { queues, released, open } = underTest();
  queues.add(items('a', 3), 0);
  queues.close();
  queues.add(items('b', 1), 0);
  const state = { idle: false };
  const idle = queues.idle().then(() => (state.idle = true));
  for (const id of ['a1', 'a2']) await open.get(id)!.answer();
  expect(state.idle).toBe(false);
  for (const id of ['a1', 'a2']) await open.get(id)!.record();
  await idle;

  expect(released).toEqual(['a3', 'b1']);
  expect(queues.room().total).toBe(0);
  expect(queues.plan()(endpoint('c'))).toBe(false);
});

test('sends a delivery that is leased again by its record first, and releases it when closed', async () => {
  const { queues, sent, released, open } = underTest();
  const again = { ...WELL, id: 'a1 again', endpointId: 'a', attempt: 2 };
  queues.add(items('a', 4), 0);
  await open.get('a1')!.answer(false);
  await open.get('a1')!.record(again);
  expect(queues.room().unreserved).toBe(2);
  await open.get('a2')!.answer();
  expect(sent).toEqual(['a1', 'a2', 'a3', 'a1 again']);

  await open.get('a3')!.answer(false);
  queues.close();
  await open.get('a3')!.record({ ...again, id: 'a3 again' });
  for (const id of ['a2', 'a4', 'a1 again']) await open.get(id)?.record();

  expect(released).toEqual(['a3 again']);
});

describe('an unverified endpoint whose host has reached its request limit', () => {
  test('gets no lease and no claim until its host has requests available, and then one delivery per claim', () => {
    const { queues, spentHosts } = underTest();
    spentHosts.add('shop.example');
    queues.throttle('a', 'shop.example');

    expect(queues.plan()(endpoint('a'))).toBe(false);
    expect(queues.noteBacklog(['a'])).toBe(false);
    expect([...queues.room().unverified]).toEqual([['a', 0]]);
    spentHosts.clear();
    expect([...queues.room().unverified]).toEqual([['a', 1]]);
  });

  test('alternates with other endpoints of its host and does not wait for those of other hosts', () => {
    const { queues } = underTest();
    for (const id of ['a', 'b']) queues.throttle(id, 'shop.example');
    queues.throttle('c', 'other.example');

    const claims = [queues.room(), queues.room(), queues.room()];

    expect(claims.map(({ unverified }) => unverified.get('a'))).toEqual([1, 0, 1]);
    expect(claims.map(({ unverified }) => unverified.get('b'))).toEqual([0, 1, 0]);
    expect(claims.map(({ unverified }) => unverified.get('c'))).toEqual([1, 1, 1]);
  });

  test('is served normally after it is verified, or when a claim finds no due delivery', () => {
    const { queues } = underTest();
    for (const id of ['a', 'b']) queues.throttle(id, `${id}.example`);
    queues.claimed(queues.room(), []);
    expect(queues.plan()(endpoint('a'))).toBe(true);
    expect(queues.room().unverified.size).toBe(0);

    queues.throttle('b', 'b.example');
    queues.claimed(queues.room(), items('b', 1));
    expect(queues.room().unverified.get('b')).toBe(1);
    queues.plan()(endpoint('b', true));
    expect(queues.room().unverified.size).toBe(0);
  });
});

test('recall releases the waiting deliveries of that endpoint and deliveries leased before it', async () => {
  const { queues, sent, released, open, time } = underTest({ slots: 5 });
  queues.add(items('a', 3), 0);
  queues.add(items('b', 3), 0);
  time.now = 5;
  queues.recall('a');
  queues.add([{ ...WELL, id: 'a4', endpointId: 'a', attempt: 1 }], 4);
  queues.add([{ ...WELL, id: 'a5', endpointId: 'a', attempt: 1 }], 6);
  for (const id of ['a1', 'b1']) await open.get(id)!.answer();

  expect(released).toEqual(['a3', 'a4']);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'b2', 'a5', 'b3']);
});

test('a delivery that was in flight during a recall is released instead of sent again immediately', async () => {
  const { queues, sent, released, open, time } = underTest();
  queues.add(items('a', 1), 0);
  time.now = 5;
  queues.recall('a');
  time.now = 6;
  await open.get('a1')!.answer(false);
  await open.get('a1')!.record({ ...WELL, id: 'a1 again', endpointId: 'a', attempt: 2 });

  expect(sent).toEqual(['a1']);
  expect(released).toEqual(['a1 again']);
});
