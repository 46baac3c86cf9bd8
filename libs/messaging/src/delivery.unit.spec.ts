import type { ConsumeMessage } from 'amqplib';
import { nextRound, readDelivery } from './delivery';

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

describe('a delivery', () => {
  it('that is not JSON says so and keeps the id on the message', () => {
    expect(readDelivery(aMessage('{'), NOW)).toMatchObject({
      id: 'm',
      content: { violation: 'the body is not JSON' },
      tries: 0,
      timesReturned: 0,
    });
  });

  it('that comes for the first time is seen now, by its routing key', () => {
    expect(readDelivery(aMessage('{'), NOW)).toMatchObject({
      firstSeen: NOW.toISOString(),
      originalRoutingKey: 'claim.submitted.v1',
    });
  });

  it('that was set aside before keeps its history', () => {
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

  it.each([[-1], ['7'], [1.5], [null]])('takes %p for no count', (value) => {
    expect(readDelivery(aMessage('{', { 'x-tries': value }), NOW).tries).toBe(0);
  });
});

describe('the rounds of a message that fails', () => {
  it('grow longer and end after eight', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(nextRound)).toEqual([
      '5s',
      '5s',
      '30s',
      '30s',
      '5m',
      '5m',
      '5m',
      '5m',
      undefined,
    ]);
  });
});
