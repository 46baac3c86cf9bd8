import type { ConsumeMessage } from 'amqplib';
import { EVENTS } from '@pay/contracts';
import { uuidv7 } from 'uuidv7';
import { eventsIn, nextRound, readDeliveries, type Delivery } from './delivery';

const NOW = new Date('2026-11-21T10:00:00Z');

function aMessage(body: string, headers: Record<string, unknown> = {}): ConsumeMessage {
  return {
    content: Buffer.from(body),
    fields: {
      deliveryTag: 1,
      redelivered: false,
      exchange: 'pay.events',
      routingKey: 'claim.submitted.v1',
      consumerTag: 'c',
    },
    properties: { headers, messageId: 'm' } as ConsumeMessage['properties'],
  };
}

function readDelivery(message: ConsumeMessage, now: Date): Delivery | undefined {
  const [delivery, ...more] = readDeliveries(message, now);
  expect(more).toEqual([]);
  return delivery;
}

describe('a delivery', () => {
  it('that is not JSON is a contract violation and keeps the id of the message', () => {
    expect(readDelivery(aMessage('{'), NOW)).toMatchObject({
      id: 'm',
      content: { violation: 'the body is not JSON' },
      tries: 0,
      timesReturned: 0,
    });
  });

  it('that arrives for the first time has the current time as its first-seen time and its own routing key', () => {
    expect(readDelivery(aMessage('{'), NOW)).toMatchObject({
      firstSeen: NOW.toISOString(),
      originalRoutingKey: 'claim.submitted.v1',
    });
  });

  it('that was retried before keeps its tries, first-seen time and routing key', () => {
    const headers = {
      'x-tries': 3,
      'x-first-seen': '2026-11-20T00:00:00.000Z',
      'x-original-routing-key': 'k',
      'x-delivery-count': 6,
    };

    expect(readDelivery(aMessage('{', headers), NOW)).toMatchObject({
      tries: 3,
      firstSeen: '2026-11-20T00:00:00.000Z',
      originalRoutingKey: 'k',
      timesReturned: 6,
    });
  });

  it.each([[-1], ['7'], [1.5], [null]])('treats %p as no count', (value) => {
    expect(readDelivery(aMessage('{', { 'x-tries': value }), NOW)?.tries).toBe(0);
  });
});

describe('a message of several events', () => {
  const anEvent = (claimId: string) => ({
    id: uuidv7(),
    type: 'claim.submitted',
    version: EVENTS['claim.submitted'].version,
    occurredAt: NOW.toISOString(),
    merchantId: uuidv7(),
    environment: 'SANDBOX',
    aggregateId: claimId,
    sequence: 1,
    data: { claimId, paymentIntentId: uuidv7(), trxId: 'DKMHTNVDQE', submittedAt: NOW.toISOString() },
  });

  it('is read as one delivery per event, in order, each with its own id and bytes and with the history of the message', () => {
    const events = [anEvent(uuidv7()), anEvent(uuidv7()), anEvent(uuidv7())];

    const deliveries = readDeliveries(aMessage(JSON.stringify(events), { 'x-delivery-count': 2 }), NOW);

    expect(deliveries.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(deliveries.map(({ body }) => JSON.parse(body().toString()) as unknown)).toEqual(events);
    expect(deliveries.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    expect(deliveries.map(({ timesReturned }) => timesReturned)).toEqual([2, 2, 2]);
    expect(deliveries.every(({ content }) => 'event' in content)).toBe(true);
  });

  it('reports one invalid event and still reads the others', () => {
    const events = [anEvent(uuidv7()), { id: 'no event' }, anEvent(uuidv7())];

    const deliveries = readDeliveries(aMessage(JSON.stringify(events)), NOW);

    expect(deliveries.map(({ content }) => 'violation' in content)).toEqual([false, true, false]);
    expect(deliveries[1]?.body().toString()).toBe('{"id":"no event"}');
  });

  it.each(['[]', '[[]]', '[1]', 'null'])('without a readable event is one violation: %s', (body) => {
    expect(readDelivery(aMessage(body), NOW)).toMatchObject({
      id: 'm',
      isLast: true,
      content: { violation: expect.any(String) },
    });
  });

  it('has the number of events of its header, and one without the header', () => {
    expect(
      [{}, { 'x-events': 7 }, { 'x-events': 0 }, { 'x-events': '7' }].map((headers) =>
        eventsIn(aMessage('[]', headers)),
      ),
    ).toEqual([1, 7, 1, 1]);
  });
});

describe('the retry rounds of a message that fails', () => {
  it('grow longer and end after eight rounds', () => {
    const failure = { isBlocked: false, now: NOW };
    const rounds = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((tries) =>
      nextRound({ tries, firstSeen: NOW.toISOString() }, failure),
    );

    expect(rounds.map((round) => round?.step)).toEqual(['5s', '5s', '30s', '30s', '5m', '5m', '5m', '5m', undefined]);
  });

  it('are not used up for two hours while the message is blocked, except the short ones', () => {
    const after = (tries: number, ageMs: number) =>
      nextRound({ tries, firstSeen: NOW.toISOString() }, { isBlocked: true, now: new Date(NOW.getTime() + ageMs) });

    expect(after(3, 60_000)).toEqual({ step: '30s', tries: 4 });
    expect(after(4, 7_199_999)).toEqual({ step: '5m', tries: 4 });
    expect(after(4, 7_200_000)).toEqual({ step: '5m', tries: 5 });
    expect(after(8, 60_000)).toBeUndefined();
  });
});
