import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { listParked, replayParked } from '../src';
import { depthOf } from './support';
import { buildChild, removeChild, startChild, type Child } from './child-process';
import {
  anEvent,
  aPlace,
  aService,
  at,
  effects,
  idsOf,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
} from './fixture';

failOnLeaks();

const POISON = 13;

describe('a process that dies', () => {
  let place: Place;
  beforeAll(() => buildChild());
  afterAll(removeChild);
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  /** A new process takes over and settles everything. */
  async function recover(expected: readonly string[]): Promise<void> {
    const next = await aService(place);
    next.start(next.messaging.relay());
    next.start(next.messaging.consumer({ queue: QUEUE, handle: recording }));
    await eventually(async () => new Set(await effects(next.db)).size >= expected.length, 'every event has its effect');
    await eventually(async () => (await unpublished(next.db)) === 0, 'the outbox is empty');
    await eventually(async () => (await depthOf(amqpUrl(), place.namespace, QUEUE)) === 0, 'the queue is empty');
    await next.stop();
    const after = await aService(place);
    expect((await effects(after.db)).sort()).toEqual([...expected].sort());
    await after.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  }

  it.each([
    ['before its handler commits', 'consumer.before-commit:kill'],
    ['between commit and acknowledgement', 'consumer.after-commit-before-ack:kill'],
    ['between a later commit and its acknowledgement', 'consumer.after-commit-before-ack:kill:2'],
  ])(
    '%s loses nothing and repeats nothing',
    async (_when, failpoint) => {
      const ids = Array.from({ length: 60 }, () => uuidv7());
      const child = startChild({ ...at(place), consume: true, batchSize: 12, publish: ids }, failpoint);

      expect(await child.ended).toBe('SIGKILL');

      const rows = await committedRows(place);
      expect(rows).toEqual(expect.arrayContaining(reported(child)));
      await recover(rows);
    },
    90_000,
  );

  it.each([
    ['between commit and publishing', 'outbox.after-commit-before-relay:kill:20'],
    ['between publishing and confirm', 'relay.after-publish-before-confirm:kill:2'],
    ['between confirm and mark', 'relay.after-confirm-before-mark:kill:2'],
  ])(
    '%s loses nothing and repeats nothing',
    async (_when, failpoint) => {
      const ids = Array.from({ length: 60 }, () => uuidv7());
      const child = startChild({ ...at(place), publish: ids }, failpoint);

      expect(await child.ended).toBe('SIGKILL');

      const rows = await committedRows(place);
      expect(rows).toEqual(expect.arrayContaining(reported(child)));
      await recover(rows);
    },
    90_000,
  );

  it('after committing half of a message loses and repeats no event', async () => {
    const events = Array.from({ length: 40 }, () => anEvent());
    const publisher = await aService(place);
    publisher.start(publisher.messaging.relay());
    await publishAll(publisher, events);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'all are published');
    await publisher.stop();

    const child = startChild({ ...at(place), consume: true, batchSize: 12 }, 'consumer.before-commit:kill:2');

    expect(await child.ended).toBe('SIGKILL');
    await recover(idsOf(events));
  });

  it('repeatedly because of one message leads to parking that message and handling all others once', async () => {
    const publisher = await aService(place);
    publisher.start(publisher.messaging.relay());
    const innocents = Array.from({ length: 40 }, () => anEvent());
    const poison = anEvent({ sequence: POISON });
    await publishAll(publisher, [...innocents.slice(0, 20), poison, ...innocents.slice(20)]);
    const settings = { ...at(place), consume: true, diesOf: POISON };
    let deaths = 0;

    const done = async () =>
      (await effects(publisher.db)).length >= 40 && (await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)) > 0;
    const handled = eventually(done, 'all is handled', { timeoutMs: 60_000 }).then(() => 'done');
    for (;;) {
      const child = startChild(settings);
      const end = await Promise.race([child.ended, handled]);
      if (end === 'done') {
        await child.stop();
        break;
      }
      expect(end).toBe(7);
      deaths += 1;
    }

    expect((await effects(publisher.db)).sort()).toEqual(idsOf(innocents).sort());
    const parking = { url: amqpUrl(), namespace: place.namespace, queue: QUEUE };
    expect((await listParked(parking)).map((message) => message.id)).toEqual([poison.id]);
    // Five returns make it a suspect, and a channel that closed may be one of them; then five deaths alone park it. On
    // a slow machine the sweeper publishes it again before it is confirmed, and that message has up to five returns of
    // its own.
    expect(deaths).toBeGreaterThan(5);
    expect(deaths).toBeLessThanOrEqual(15);
    await replayParked(parking);
    publisher.start(publisher.messaging.consumer({ queue: QUEUE, handle: recording }));
    await eventually(async () => (await effects(publisher.db)).includes(poison.id), 'the fixed service handles it');
    await publisher.stop();
  });
});

/** Ids of the events whose commit the child has seen. */
function reported(child: Child): string[] {
  return child.lines.filter((line) => line.startsWith('committed ')).map((line) => line.slice('committed '.length));
}

async function committedRows(place: Place): Promise<string[]> {
  const reader = await aService(place);
  const rows = await reader.db.query<{ id: string }>(`select id from outbox where type = 'claim.submitted'`);
  await reader.stop();
  return rows.map((row) => row.id);
}
