import { createHash, createHmac } from 'node:crypto';
import type { RunningSystem } from './system';

/** Publishers of the events that tests publish by hand. */
const PUBLISHERS: Readonly<Record<string, string>> = {
  'api_key.changed': 'dashboard-api',
  'merchant.changed': 'dashboard-api',
  'receiver_account.changed': 'dashboard-api',
  'device.seen': 'sms-ingest',
  'sms.parsed': 'sms-ingest',
  'intent.created': 'intent-api',
  'intent.paid': 'intent-api',
};

type Keys = Pick<RunningSystem, 'eventSigningKeys'>;

/** Settings for another process of a service: its signing key, and the verification keys of other services. */
export function eventKeySettings({ eventSigningKeys }: Keys, service: string): Record<string, string> {
  const verification = Object.keys(eventSigningKeys)
    .filter((publisher) => publisher !== service)
    .map((publisher) => {
      const { id, key } = currentKey({ eventSigningKeys }, publisher);
      return `${publisher}/${id}:${derived(key, service).toString('base64')}`;
    });
  return { EVENT_SIGNING_KEYS: eventSigningKeys[service] ?? '', EVENT_VERIFICATION_KEYS: verification.join(',') };
}

/**
 * The headers that the publisher of the event would have signed. Written by hand, so that it does not depend on the
 * code under test.
 */
export function signedHeaders(keys: Keys, queue: string, type: string, body: Buffer): Record<string, string> {
  const publisher = PUBLISHERS[type];
  if (publisher === undefined) throw new Error(`signed-events.ts does not say who publishes ${type}`);
  const reader = queue.split('.')[0] ?? '';
  const { id, key } = currentKey(keys, publisher);
  const routingKey = `${type}.v1`;
  const mac = createHmac('sha256', derived(key, reader))
    .update(`pay event 1\n${publisher}\n${publisher}\n${id}\n${reader}\n${routingKey}\n`)
    .update(createHash('sha256').update(body).digest())
    .digest('base64');
  return {
    'x-publisher': publisher,
    'x-key-id': id,
    [`x-mac.${reader}`]: mac,
    'x-original-routing-key': routingKey,
  };
}

function currentKey({ eventSigningKeys }: Keys, service: string): { readonly id: string; readonly key: Buffer } {
  const [id = '', encoded = ''] = (eventSigningKeys[service]?.split(',')[0] ?? '').split(':');
  return { id, key: Buffer.from(encoded, 'base64') };
}

function derived(key: Buffer, reader: string): Buffer {
  return createHmac('sha256', key).update(`pay event verification: ${reader}`).digest();
}
