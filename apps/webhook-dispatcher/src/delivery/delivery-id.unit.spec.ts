import { deliveryId } from './delivery-id';

const endpointId = '0192f0c1-0000-7000-8000-00000000000b';
const key = 'payment.paid:0192f0c1-0000-7000-8000-00000000000c';
const occurredAt = new Date('2026-11-21T10:00:00.123Z');

test('the id of a delivery is always the same for one endpoint and event', () => {
  // Frozen: another algorithm would change the ids of existing events.
  expect(deliveryId(endpointId, key, occurredAt)).toBe('01a1fd8c-697b-7b8d-9151-066dc63f997c');
});

test('the id differs between endpoints, event types and intents', () => {
  const ids = [
    deliveryId(endpointId, key, occurredAt),
    deliveryId(endpointId.replace('b', 'd'), key, occurredAt),
    deliveryId(endpointId, key.replace('paid', 'expired'), occurredAt),
    deliveryId(endpointId, key.replace('c', 'd'), occurredAt),
  ];

  expect(new Set(ids).size).toBe(ids.length);
});

test('the id is a UUID of version 7, and ids are ordered by the time of their events', () => {
  const times = Array.from({ length: 200 }, (_, number) => new Date(occurredAt.getTime() + number));
  const ids = times.map((time, number) => deliveryId(endpointId, `payment.paid:${number}`, time));

  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
});
