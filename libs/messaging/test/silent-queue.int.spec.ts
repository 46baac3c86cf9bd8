import type { LocalRabbitMq } from '@pay/local-servers';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { draft, type EventDraft } from '../src';
import { depthOf } from './support';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { ownRabbitMq, type Owned } from './private-servers';

failOnLeaks();

/** Goes to `dashboard-api.events` alone. */
const SILENT_QUEUE = 'dashboard-api.events';
function anEventForTheSilentQueue(): EventDraft {
  const id = uuidv7();
  return draft('api_key.used', {
    environment: 'SANDBOX',
    merchantId: id,
    aggregateId: id,
    sequence: 1,
    occurredAt: new Date(),
    data: { uses: [{ apiKeyId: id, usedAt: new Date().toISOString() }] },
  });
}

describe('a queue that confirms nothing, as one without a quorum', () => {
  let broker: Owned<LocalRabbitMq>;
  let place: Place;
  let service: RunningService;
  beforeAll(async () => (broker = await ownRabbitMq()));
  afterAll(() => broker.end());
  beforeEach(async () => {
    place = { ...(await aPlace()), amqpUrl: broker.server.url };
    service = await aService(place, { timings: { confirmTimeoutMs: 12_000, probeEveryMs: 1_000 } });
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    await publishAll(service, [anEvent(), anEventForTheSilentQueue()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'both queues confirm');
    await tell('suspend');
  });
  afterEach(async () => {
    await tell('resume');
    await place.drop();
  });

  /** Suspends the queue process on the broker: it receives messages and does not respond. */
  async function tell(what: 'suspend' | 'resume'): Promise<void> {
    const name = `%2F_${place.namespace}${SILENT_QUEUE}`;
    await broker.server.ctl('eval', `sys:${what}(binary_to_existing_atom(<<"${name}">>, utf8)).`);
  }

  async function numberOf(type: string): Promise<number> {
    const [row] = await service.db.query<{ number: number }>('select number::float8 from probes where type = $1', [
      type,
    ]);
    return row?.number ?? 0;
  }

  it('delays neither events nor probes of other queues, and receives its own events when it responds again', async () => {
    const silent = Array.from({ length: 900 }, anEventForTheSilentQueue);
    // One transaction each: events of one commit would share messages. The broker reads about 430 messages ahead of
    // such a queue.
    for (const event of silent.slice(0, 500)) await publishAll(service, [event]);
    await publishAll(service, silent.slice(500));
    const before = await numberOf('claim.submitted');
    const events = Array.from({ length: 2_000 }, () => anEvent());
    const begun = performance.now();
    for (let from = 0; from < events.length; from += 100) await publishAll(service, events.slice(from, from + 100));

    await eventually(async () => (await effects(service.db)).length === events.length + 1, 'the others flow', {
      timeoutMs: 120_000,
    });
    const seconds = (performance.now() - begun) / 1_000;
    // At the rate of one window per timeout this takes two minutes.
    expect(seconds).toBeLessThan(90);
    await eventually(async () => (await numberOf('claim.submitted')) > before + 1, 'probe rounds go on');
    expect(await unpublished(service.db)).toBe(silent.length);

    await tell('resume');

    await eventually(async () => (await unpublished(service.db)) === 0, 'everything is published', {
      timeoutMs: 80_000,
    });
    expect(await depthOf(place.amqpUrl, place.namespace, SILENT_QUEUE)).toBeGreaterThan(0);
    expect((await effects(service.db)).filter((id) => idsOf(events).includes(id))).toHaveLength(events.length);
  }, 300_000);
});
