import { createHash } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { formatVerificationKeys, verificationKeysFor, type EventKeys } from '../../src/broker/event-keys';
import { openMessaging, type Messaging, type MessagingOptions } from '../../src/messaging';

/** Public and constant, so that every test process uses the same keys without configuration. */
const SIGNING = Object.fromEntries(
  SERVICES.map((service) => [service, [{ id: 'test', key: createHash('sha256').update(`test ${service}`).digest() }]]),
) as unknown as Readonly<Record<ServiceName, EventKeys['signing']>>;

export function testEventKeys(service: ServiceName): Required<EventKeys> {
  return { signing: SIGNING[service], verification: verificationKeysFor(service, SIGNING) };
}

export function testEventKeySettings(service: ServiceName): Record<string, string> {
  const { signing, verification } = testEventKeys(service);
  return {
    EVENT_SIGNING_KEYS: signing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    EVENT_VERIFICATION_KEYS: formatVerificationKeys(verification),
  };
}

/**
 * Messaging that acts for all services, so that a spec can publish events of other services and read their queues.
 * Needs an administrator account.
 */
export function openTestMessaging(options: Omit<MessagingOptions, 'eventKeys' | 'keysOfOthers'>): Promise<Messaging> {
  return openMessaging({ ...options, eventKeys: testEventKeys(options.service), keysOfOthers: testEventKeys });
}
