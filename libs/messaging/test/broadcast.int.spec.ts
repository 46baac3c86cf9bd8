import { connect, type Channel } from 'amqplib';
import { createMetrics, type BackOff } from '@pay/runtime';
import { amqpUrl, eventually, failOnLeaks, testNamespace } from '@pay/testing';
import { Broadcaster } from '../src/broker/broadcast';
import { BrokerConnection } from '../src/broker/connection';
import { namesIn } from '../src/broker/topology';
import { dropNamespace } from './support';
import { messagingMetrics } from '../src/metrics';
import { recordingLog, silentLog } from './fixture';

failOnLeaks();

const service = 'checkout-api';
const namespace = testNamespace();
const names = namesIn(namespace);

/** Waits that end when the test ends them. */
function heldPauses() {
  const held: (() => void)[] = [];
  let resets = 0;
  const pauses: BackOff = {
    next: () => 0,
    wait: (signal) =>
      new Promise<void>((resolve) => {
        held.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
    reset: () => (resets += 1),
  };
  return { pauses, held, resets: () => resets };
}

describe('a broadcaster', () => {
  let admin: { readonly channel: Channel; close(): Promise<void> };
  const open: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    const connection = await connect(amqpUrl());
    admin = { channel: await connection.createChannel(), close: () => connection.close() };
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
    await admin.close();
    await dropNamespace(amqpUrl(), namespace);
  });

  async function aConnection(purpose: 'publish' | 'consume') {
    const metrics = messagingMetrics(createMetrics(service), { query: () => Promise.resolve([]) }, silentLog());
    const connection = await BrokerConnection.open({ url: amqpUrl(), purpose, service, log: silentLog(), metrics });
    const original = connection.channel.bind(connection);
    const counted = { opened: 0, closed: 0 };
    const queues: string[] = [];
    connection.channel = async () => {
      const channel = await original();
      counted.opened += 1;
      const assertQueue = channel.assertQueue.bind(channel);
      channel.assertQueue = async (...args) => {
        const answer = await assertQueue(...args);
        queues.push(answer.queue);
        return answer;
      };
      return channel.once('close', () => (counted.closed += 1));
    };
    const roundTrip = async () => (await original()).close();
    /** Only the connection of an exclusive queue can delete it. */
    const deleteQueue = async () => {
      const channel = await original();
      await channel.deleteQueue(queues.at(-1) ?? '');
      await channel.close();
    };
    return { connection, counted, roundTrip, queues, deleteQueue };
  }

  async function aBroadcaster() {
    const [publishing, consuming] = [await aConnection('publish'), await aConnection('consume')];
    const waits = heldPauses();
    const { log, events } = recordingLog();
    const broadcaster = new Broadcaster({
      publishing: publishing.connection,
      consuming: consuming.connection,
      names,
      service,
      log,
      pauses: waits.pauses,
    });
    open.push(broadcaster, publishing.connection, consuming.connection);
    return { broadcaster, publishing, consuming, waits, events };
  }

  it('waits before it opens a channel again whose exchange was refused, and works once it is accepted', async () => {
    await admin.channel.assertExchange(names.own(service), 'fanout');
    const { broadcaster, publishing, consuming, waits, events } = await aBroadcaster();
    const received: string[] = [];
    broadcaster.on('keys', (payload) => received.push(payload));
    const opened = () => [publishing, consuming].map(({ counted }) => counted.opened);
    await eventually(
      () => publishing.counted.closed * consuming.counted.closed > 0,
      'the broker refuses both channels',
    );
    // The broker answers in order: a channel that was opened without a wait is counted after these.
    for (const { roundTrip } of [publishing, consuming]) for (let n = 0; n < 3; n += 1) await roundTrip();

    expect(opened()).toEqual([1, 1]);
    await eventually(() => waits.held.length === 2, 'both wait');
    expect(waits.resets()).toBe(0);
    expect(events).toContain('broadcast.failed');
    for (const end of waits.held.splice(0)) end();
    await eventually(() => waits.held.length === 2, 'both wait again');
    expect(opened()).toEqual([2, 2]);

    await admin.channel.deleteExchange(names.own(service));
    for (const end of waits.held.splice(0)) end();
    await eventually(() => {
      broadcaster.send('keys', 'changed');
      return received.includes('changed');
    }, 'the broadcast is received');
    expect(waits.resets()).toBe(2);
  });

  it('consumes from a new queue after its queue was deleted', async () => {
    const { broadcaster, consuming, waits } = await aBroadcaster();
    const received: string[] = [];
    broadcaster.on('keys', (payload) => received.push(payload));
    await eventually(() => {
      broadcaster.send('keys', 'before');
      return received.includes('before');
    }, 'the broadcast is received');

    await consuming.deleteQueue();
    await eventually(() => waits.held.length === 1, 'the channel is closed');
    for (const end of waits.held.splice(0)) end();

    await eventually(() => {
      broadcaster.send('keys', 'after');
      return received.includes('after');
    }, 'the broadcast is received again');
    expect(new Set(consuming.queues).size).toBe(2);
  });
});
