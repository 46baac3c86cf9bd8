import { createHash } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { formatVerificationKeys, verificationKeysFor, type EventKeys } from '../broker/event-keys';
import { openMessaging, type Messaging, type MessagingOptions } from '../messaging';

/** Known to everybody who reads this, and always the same: every process of a test has them without being given any. */
const SIGNING = Object.fromEntries(
  SERVICES.map((service) => [service, [{ id: 'test', key: createHash('sha256').update(`test ${service}`).digest() }]]),
) as unknown as Readonly<Record<ServiceName, EventKeys['signing']>>;

/** The keys of a service in tests. */
export function testEventKeys(service: ServiceName): EventKeys {
  return { signing: SIGNING[service], verification: verificationKeysFor(service, SIGNING), acceptUnsigned: false };
}

/** The same keys as the settings of a process. */
export function testEventKeySettings(service: ServiceName): Record<string, string> {
  const { signing, verification } = testEventKeys(service);
  return {
    EVENT_SIGNING_KEYS: signing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    EVENT_VERIFICATION_KEYS: formatVerificationKeys(verification),
  };
}

/**
 * Messaging of one service that stands for all the others too, so that a spec can publish what its neighbours would and
 * look into their queues. Needs an administrator's account.
 */
export function openTestMessaging(options: Omit<MessagingOptions, 'eventKeys' | 'keysOfOthers'>): Promise<Messaging> {
  return openMessaging({ ...options, eventKeys: testEventKeys(options.service), keysOfOthers: testEventKeys });
}
