import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import type { ConsumeMessage } from 'amqplib';
import { readDeliveries } from '../consumer/delivery';
import { derivedKey, publishersFor, verificationKeysFor, type EventKeys } from './event-keys';
import { EventSignatures } from './event-signatures';
import { testEventKeys } from '../../test/support';

const signatures = (service: ServiceName, keys: Partial<EventKeys> = {}) =>
  new EventSignatures(service, { ...testEventKeys(service), ...keys });
const body = Buffer.from('{"id":"1"}');
const routingKey = 'intent.paid.v1';
const signed = (publisher: ServiceName = 'intent-api', readers: readonly ServiceName[] = ['checkout-api']) =>
  signatures(publisher).sign({ publisher, routingKey, body }, readers);
const DOES_NOT_MATCH = { rejected: 'signature', reason: expect.stringContaining('does not match') };

describe('a signature', () => {
  it('is accepted by each of its readers and identifies the publisher', () => {
    const headers = signed('intent-api', ['checkout-api', 'webhook-dispatcher']);

    for (const reader of ['checkout-api', 'webhook-dispatcher'] as const) {
      expect(signatures(reader).verify(headers, routingKey, body)).toEqual({ publisher: 'intent-api' });
    }
  });

  it.each<[string, (headers: Record<string, string>) => Record<string, string>, string, Buffer]>([
    ['one byte of the body differs', (headers) => headers, routingKey, Buffer.from('{"id":"2"}')],
    ['it was sent elsewhere', (headers) => headers, 'intent.failed.v1', body],
    [
      'the MAC differs',
      (headers) => ({ ...headers, 'x-mac.checkout-api': Buffer.alloc(32).toString('base64') }),
      routingKey,
      body,
    ],
    ['the MAC is cut short', (headers) => ({ ...headers, 'x-mac.checkout-api': 'AAAA' }), routingKey, body],
    ['it claims another publisher', (headers) => ({ ...headers, 'x-publisher': 'reconciler' }), routingKey, body],
  ])('is rejected when %s', (_name, change, key, content) => {
    expect(signatures('checkout-api').verify(change({ ...signed() }), key, content)).toMatchObject(DOES_NOT_MATCH);
  });

  it('is rejected by a service that is not a reader, even if the message contains the MAC of another reader', () => {
    const headers = { ...signed() };
    expect(signatures('webhook-dispatcher').verify(headers, routingKey, body)).toMatchObject({ rejected: 'signature' });
    const copied = { ...headers, 'x-mac.webhook-dispatcher': headers['x-mac.checkout-api'] };
    expect(signatures('webhook-dispatcher').verify(copied, routingKey, body)).toMatchObject(DOES_NOT_MATCH);
  });

  it('cannot be forged for a third service with the keys of a reader', () => {
    const held = testEventKeys('checkout-api').verification.filter(({ publisher }) => publisher === 'intent-api');
    const forger = signatures('checkout-api', { signing: held });
    const forged = {
      ...forger.sign({ publisher: 'intent-api', routingKey, body }, ['webhook-dispatcher']),
      'x-signer': 'intent-api',
    };
    expect(signatures('webhook-dispatcher').verify(forged, routingKey, body)).toMatchObject(DOES_NOT_MATCH);
  });

  it.each([[{}], [{ 'x-other': 'x' }]])('that is absent is rejected: %j', (headers) => {
    expect(signatures('checkout-api').verify(headers, routingKey, body)).toEqual({
      rejected: 'unsigned',
      reason: 'the message has no signature',
    });
  });

  it('of which headers are missing is rejected as incomplete', () => {
    expect(signatures('checkout-api').verify({ 'x-publisher': 'intent-api' }, routingKey, body)).toEqual({
      rejected: 'signature',
      reason: 'the signature is incomplete',
    });
  });

  it('of a message in a retry queue is made by its consumer and is valid for no other service', () => {
    const moved = signatures('checkout-api').sign({ publisher: 'intent-api', routingKey, body }, [...SERVICES]);

    expect(signatures('checkout-api').verify(moved, routingKey, body)).toEqual({ publisher: 'intent-api' });
    expect(signatures('webhook-dispatcher').verify(moved, routingKey, body)).toMatchObject({
      rejected: 'signature',
      reason: 'the message of intent-api is signed by another service',
    });
  });
});

describe('a rotation of keys', () => {
  const old = { id: 'k1', key: randomBytes(32) };
  const fresh = { id: 'k2', key: randomBytes(32) };
  const keysOfReader = (...keys: EventKeys['signing']) => ({
    verification: [
      ...testEventKeys('checkout-api').verification.filter(({ publisher }) => publisher !== 'intent-api'),
      ...keys.map(({ id, key }) => ({ publisher: 'intent-api', id, key: derivedKey(key, 'checkout-api') })),
    ],
  });
  const signedWith = (...signing: EventKeys['signing']) =>
    signatures('intent-api', { signing }).sign({ publisher: 'intent-api', routingKey, body }, ['checkout-api']);

  it('signs with the first key, and a reader with both keys accepts signatures of either', () => {
    const reader = signatures('checkout-api', keysOfReader(fresh, old));

    expect(signedWith(fresh, old)['x-key-id']).toBe('k2');
    for (const headers of [signedWith(old), signedWith(fresh, old)]) {
      expect(reader.verify(headers, routingKey, body)).toEqual({ publisher: 'intent-api' });
    }
  });

  it('that has ended rejects signatures of the former key and names the key', () => {
    const reader = signatures('checkout-api', keysOfReader(fresh));

    expect(reader.verify(signedWith(old), routingKey, body)).toEqual({
      rejected: 'signature',
      reason: 'there is no verification key of intent-api with the id of the signature',
    });
  });
});

describe('the keys of a service', () => {
  it.each(SERVICES)('%s needs a verification key of every publisher it consumes from', (service) => {
    const { verification } = testEventKeys(service);
    expect([...new Set(verification.map(({ publisher }) => publisher))].sort()).toEqual(publishersFor(service).sort());
    const [first] = publishersFor(service);
    const incomplete = verification.filter(({ publisher }) => publisher !== first);
    expect(() => signatures(service, { verification: incomplete })).toThrow(
      `EVENT_VERIFICATION_KEYS: there is no key for ${first}`,
    );
  });

  it('of a process that consumes nothing are its signing keys alone, and it rejects every event of others', () => {
    const publisher = new EventSignatures('checkout-api', { signing: testEventKeys('checkout-api').signing });
    expect(publisher.verify(signed(), routingKey, body)).toEqual({
      rejected: 'signature',
      reason: 'there is no verification key of intent-api with the id of the signature',
    });
  });

  it('are different for every pair of publisher and reader', () => {
    const signing = Object.fromEntries(SERVICES.map((each) => [each, testEventKeys(each).signing])) as never;
    const all = SERVICES.flatMap((reader) => verificationKeysFor(reader, signing)).map(({ key }) =>
      key.toString('hex'),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a message with a valid signature', () => {
  const read = (
    publisher: ServiceName,
    type: string,
    key: string,
    queue: 'reconciler.events' | 'reconciler.control',
  ) => {
    const envelope = {
      id: '0198a5a0-0000-7000-8000-000000000001',
      type,
      version: 1,
      occurredAt: '2026-11-21T10:00:00Z',
      environment: null,
      merchantId: null,
      aggregateId: 'a',
      sequence: 0,
      data: { queue: 'reconciler.events', types: ['intent.created'], since: '2026-11-21T10:00:00Z' },
    };
    const content = Buffer.from(JSON.stringify(envelope));
    const headers = signatures(publisher).sign({ publisher, routingKey: key, body: content }, ['reconciler']);
    const message = { content, fields: { routingKey: key }, properties: { headers } } as unknown as ConsumeMessage;
    const [delivery] = readDeliveries(message, new Date(), { queue, signatures: signatures('reconciler') });
    return delivery?.content;
  };

  it('is accepted from a publisher of its type', () => {
    const content = read(
      'intent-api',
      'messaging.replay_requested',
      'messaging.replay_requested.v1',
      'reconciler.control',
    );
    expect(content).toHaveProperty('event');
  });

  it('is rejected if its publisher may not publish its type', () => {
    const content = Buffer.from(
      readFileSync(join(__dirname, '../../../contracts/src/fixtures/api_key.changed.v1.json')),
    );
    const key = 'api_key.changed.v1';
    const contentOf = (publisher: ServiceName) => {
      const headers = signatures(publisher).sign({ publisher, routingKey: key, body: content }, ['intent-api']);
      const message = { content, fields: { routingKey: key }, properties: { headers } } as unknown as ConsumeMessage;
      const checking = { queue: 'intent-api.control', signatures: signatures('intent-api') } as const;
      return readDeliveries(message, new Date(), checking)[0]?.content;
    };

    expect(contentOf('dashboard-api')).toHaveProperty('event');
    expect(contentOf('reconciler')).toEqual({
      violation: 'reconciler may not publish api_key.changed',
      kind: 'publisher',
    });
  });

  it.each([
    ['another type', 'intent.created.v1', 'reconciler.control'],
    ['another queue', 'to.intent-api.control.messaging.replay_requested.v1', 'reconciler.control'],
  ] as const)('is rejected when it was sent as %s', (_name, key, queue) => {
    expect(read('intent-api', 'messaging.replay_requested', key, queue)).toEqual({
      violation: `messaging.replay_requested was not sent to ${queue}`,
      kind: 'publisher',
    });
  });
});
