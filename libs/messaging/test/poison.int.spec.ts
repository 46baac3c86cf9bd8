import { randomUUID } from 'node:crypto';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { listParked, parkedCli, PermanentError, replayParked, type EventDraft, type Handle } from '../src';
import { depthOf, onBroker, QUICK_TIMINGS, sendRaw } from './support';
import {
  aGate,
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  record,
  type Place,
  type RunningService,
} from './fixture';
import { withSettingsInFiles } from './settings-in-files';

failOnLeaks();

const ALWAYS_FAILS = 666;
const NEVER_RIGHT = 667;

describe('a message that cannot be handled', () => {
  let place: Place;
  let service: RunningService;
  let fixed = false;

  const handle: Handle = async (tx, events) => {
    for (const event of events) {
      if (event.sequence === NEVER_RIGHT) throw new PermanentError('the claim names an intent that cannot exist');
      if (event.sequence === ALWAYS_FAILS && !fixed) throw new Error('cannot divide 01712345678 by DKL4A1B2C3');
      await record(tx, [event]);
    }
  };

  beforeAll(async () => {
    place = await aPlace();
    // The timeout covers parking, which takes four of the longest rounds.
    service = await aService(place, { timings: { retryMs: { ...QUICK_TIMINGS.retryMs, '5m': 200 } } });
  });
  afterAll(async () => {
    await service.stop();
    await place.drop();
  });

  const parked = () => listParked({ url: amqpUrl(), namespace: place.namespace, queue: QUEUE });

  it('is parked with its reason while the other messages are handled once, and is handled after a fix and a replay', async () => {
    const innocents = Array.from({ length: 120 }, () => anEvent());
    const failing = anEvent({ sequence: ALWAYS_FAILS });
    const wrong = anEvent({ sequence: NEVER_RIGHT });
    const raw = (event: EventDraft | (EventDraft & Record<string, unknown>)) => ({
      body: JSON.stringify(event),
      options: { messageId: event.id },
    });
    const unreadable = { body: '{"id": "half', options: { messageId: randomUUID() } };
    const fromTheFuture = raw({ ...anEvent(), version: 99 });
    const shapeless = raw({ ...anEvent(), data: { claimId: 'not a uuid' } });
    const messages = innocents.map(raw);
    [unreadable, fromTheFuture, raw(failing), shapeless, raw(wrong)].forEach((each, index) =>
      messages.splice(10 + 25 * index, 0, each),
    );
    service.start(service.messaging.relay());
    await eventually(
      () => depthOf(amqpUrl(), place.namespace, QUEUE).then((depth) => depth === 0),
      'the queue is there',
    );

    await sendRaw(amqpUrl(), place.namespace, QUEUE, messages);
    service.start(service.messaging.consumer({ queue: QUEUE, handle }));

    await eventually(async () => (await parked()).length >= 5, 'the poison is parked');
    const list = await parked();
    expect(new Map(list.map((message) => [message.id, message.reason]))).toEqual(
      new Map([
        [unreadable.options.messageId, 'the body is not JSON'],
        [fromTheFuture.options.messageId, 'unknown version 99 of claim.submitted'],
        [shapeless.options.messageId, expect.stringContaining('claim.submitted data: claimId')],
        [failing.id, 'Error: cannot divide … by …'],
        [wrong.id, 'the claim names an intent that cannot exist'],
      ]),
    );
    expect(list.find((message) => message.id === failing.id)?.tries).toBe(8);
    expect(list.find((message) => message.id === wrong.id)?.tries).toBe(0);
    expect((await effects(service.db)).sort()).toEqual(idsOf(innocents).sort());
    expect(await metricOf(service, 'messaging_parked_total', { queue: QUEUE })).toBe(5);

    fixed = true;
    const replayed = await replayParked({
      url: amqpUrl(),
      namespace: place.namespace,
      queue: QUEUE,
      ids: [failing.id, innocents[0]!.id],
    });

    expect(replayed).toEqual([failing.id]);
    await eventually(async () => (await effects(service.db)).includes(failing.id), 'the replayed message is handled');
    expect((await effects(service.db)).filter((id) => id === failing.id)).toHaveLength(1);
    expect((await parked()).map((message) => message.id)).not.toContain(failing.id);
    expect(await parked()).toHaveLength(4);
  });

  it('is deleted by its id alone, and the command prints its reason without its body', async () => {
    const [kept, wrong] = [anEvent(), anEvent()];
    const messages = [kept, wrong].map((event) => ({ body: JSON.stringify(event), options: { messageId: event.id } }));
    await sendRaw(amqpUrl(), place.namespace, `${QUEUE}.parked`, messages);
    let output = '';
    const command = (...words: string[]) =>
      parkedCli(words, { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace }, (text) => (output += text));
    const before = (await parked()).map(({ id }) => id);

    expect(await command('discard', QUEUE)).toBe(2);
    expect(await command('discard', QUEUE, wrong.id, 'unheard-of')).toBe(1);

    expect((await parked()).map(({ id }) => id)).toEqual(before.filter((id) => id !== wrong.id));
    expect(output).toContain(`discarded {"id":"${wrong.id}","type":"unknown","reason":"unknown"`);
    expect(output).toContain('not parked unheard-of\n');
    expect(output).not.toContain('claimId');
    expect(before).toContain(kept.id);
    await command('discard', QUEUE, kept.id);
  });

  it('is counted by reason and signer although only the oldest 100 messages are printed', async () => {
    const before = (await parked()).length;
    const header = (reason: string) => ({ headers: { 'x-reason': reason } });
    const messages = Array.from({ length: 120 }, (_, index) => {
      const event = anEvent();
      const options = { messageId: event.id, ...header(index < 100 ? 'first reason' : 'second reason') };
      return { body: JSON.stringify(event), options };
    });
    await sendRaw(amqpUrl(), place.namespace, `${QUEUE}.parked`, messages);
    const list = async (...options: string[]) => {
      let output = '';
      const environment = { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace };
      await parkedCli(['list', QUEUE, ...options], environment, (text) => (output += text));
      return output.split('\n');
    };

    const oldest = await list();
    const all = await list('--all');

    expect(oldest.filter((line) => line.startsWith('{'))).toHaveLength(100);
    expect(oldest).toContain(`100 of ${before + 120} parked messages of ${QUEUE} are printed.`);
    const signedBy = (await parked()).find(({ id }) => id === messages[0]?.options.messageId)?.signedBy;
    expect(signedBy).toMatch(/^checkout-api\//);
    expect(oldest).toContain(`100 with ${JSON.stringify({ reason: 'first reason', signedBy })}`);
    expect(oldest).toContain(`20 with ${JSON.stringify({ reason: 'second reason', signedBy })}`);
    expect(all.filter((line) => line.startsWith('{'))).toHaveLength(before + 120);
    await parkedCli(
      ['discard', QUEUE, ...messages.map(({ options }) => options.messageId)],
      { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace },
      () => undefined,
    );
  });

  it('is listed with settings from files, as in a container', async () => {
    const event = anEvent();
    await sendRaw(amqpUrl(), place.namespace, `${QUEUE}.parked`, [
      { body: JSON.stringify(event), options: { messageId: event.id } },
    ]);
    let output = '';

    await withSettingsInFiles({ AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace }, (environment) =>
      parkedCli(['list', QUEUE], environment, (text) => (output += text)),
    );

    expect(output).toContain(event.id);
    await replayParked({ url: amqpUrl(), namespace: place.namespace, queue: QUEUE, ids: [event.id] });
  });

  it('has no second effect when it is replayed after it was handled', async () => {
    const event = anEvent();
    const twice = Array(2).fill({ body: JSON.stringify(event), options: { messageId: event.id } });

    await sendRaw(amqpUrl(), place.namespace, `${QUEUE}.parked`, twice);
    await replayParked({ url: amqpUrl(), namespace: place.namespace, queue: QUEUE, ids: [event.id] });

    await eventually(
      async () => (await metricOf(service, 'messaging_consumed_total', { outcome: 'duplicate' })) === 1,
      'the second copy is recognised',
    );
    expect((await effects(service.db)).filter((id) => id === event.id)).toHaveLength(1);
  });
});

describe('a message whose handler waits for a lock longer than its timeout', () => {
  const gate = aGate();
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(async () => {
    gate.open();
    await place.drop();
  });

  it('is not parked, however often it is retried, and is handled when the lock is released', async () => {
    const service = await aService(place, { timings: { retryMs: { '5s': 1, '30s': 1, '5m': 1 } } });
    const locked = service.db.transaction(async (tx) => {
      await tx.execute('lock table effects in access exclusive mode');
      await gate.pass();
    });
    await gate.arrived;
    service.start(service.messaging.relay());
    service.start(
      service.messaging.consumer({
        queue: QUEUE,
        async handle(tx, events) {
          await tx.execute(`set local lock_timeout = '10ms'`);
          await record(tx, events);
        },
      }),
    );
    const event = anEvent();
    await publishAll(service, [event]);

    // A message that fails for another reason is parked after the eighth retry.
    await eventually(
      async () => (await metricOf(service, 'messaging_consumed_total', { outcome: 'retried' })) > 10,
      'it is retried',
    );
    gate.open();
    await locked;

    await eventually(async () => (await effects(service.db)).includes(event.id), 'it is handled');
    expect(await metricOf(service, 'messaging_parked_total', {})).toBe(0);
  });
});

describe('a message of an unknown version that was returned as often as a suspect', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  const fromTheFuture = () => ({ ...anEvent(), version: 99 });
  const bundleId = randomUUID();

  it.each([
    [
      'contains two events is parked event by event',
      { body: JSON.stringify([fromTheFuture(), fromTheFuture()]), options: { messageId: bundleId } },
      [bundleId, `${bundleId}#1`],
    ],
    ['has no id is parked', { body: JSON.stringify(fromTheFuture()) }, ['unknown']],
  ])('and %s, and the next message is handled', async (_case, unreadable, parkedIds) => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    const next = anEvent();
    const work = () => depthOf(amqpUrl(), place.namespace, QUEUE);
    await eventually(async () => (await work()) === 0, 'the queue is there');
    await sendRaw(amqpUrl(), place.namespace, QUEUE, [unreadable]);
    for (let returns = 0; returns < 5; returns += 1) {
      // The end of the connection returns the message.
      await onBroker(amqpUrl(), (channel) => channel.get(`${place.namespace}${QUEUE}`));
      await eventually(async () => (await work()) === 1, 'the message is returned');
    }
    await sendRaw(amqpUrl(), place.namespace, QUEUE, [{ body: JSON.stringify(next), options: { messageId: next.id } }]);

    service.start(service.messaging.consumer({ queue: QUEUE, handle: record }));

    await eventually(async () => (await effects(service.db)).includes(next.id), 'the next message is handled');
    const parking = { url: amqpUrl(), namespace: place.namespace, queue: QUEUE };
    const parked = (await listParked(parking)).map(({ id }) => id);
    expect(parked.slice(-parkedIds.length)).toEqual(parkedIds);
    await service.stop();
    expect(await work()).toBe(0);
  });
});
