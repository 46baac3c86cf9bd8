import { eachService, PUBLISHERS, SERVICES, type ServiceName } from '@pay/contracts';
import { parseEncryptionKeys, type EncryptionKey, type VerificationKey } from '@pay/runtime';
import { macOf } from '@pay/signing';
import { queuesOf, typesOf } from './topology';

export interface EventKeys {
  /** Known to this service only. The first key signs; the others verify messages that it signed for itself earlier. */
  readonly signing: readonly EncryptionKey[];
  /**
   * Derived for this service from the signing keys of the publishers that it consumes from. Absent in a process that
   * consumes nothing.
   */
  readonly verification?: readonly VerificationKey[];
}

/**
 * The key that a publisher and one consumer share. The consumer cannot derive the signing key or the key of another
 * consumer from it, so a message that it forges is accepted by no other service.
 */
export function derivedKey(signingKey: Buffer, consumer: ServiceName): Buffer {
  return macOf(signingKey, `pay event verification: ${consumer}`);
}

export function publishersFor(consumer: ServiceName): ServiceName[] {
  const types = new Set(queuesOf(consumer).flatMap(typesOf));
  return SERVICES.filter(
    (service) => service !== consumer && [...types].some((type) => PUBLISHERS[type].includes(service)),
  );
}

export function verificationKeysFor(
  consumer: ServiceName,
  signing: Readonly<Record<ServiceName, readonly EncryptionKey[]>>,
): VerificationKey[] {
  return publishersFor(consumer).flatMap((publisher) =>
    signing[publisher].map(({ id, key }) => ({ publisher, id, key: derivedKey(key, consumer) })),
  );
}

/** EVENT_VERIFICATION_KEYS of a service, from the EVENT_SIGNING_KEYS of all services. */
export function verificationKeySetting(consumer: ServiceName, signing: Readonly<Record<ServiceName, string>>): string {
  const keys = eachService((service) => parseEncryptionKeys(signing[service]));
  return formatVerificationKeys(verificationKeysFor(consumer, keys));
}

export function formatVerificationKeys(keys: readonly VerificationKey[]): string {
  return keys.map(({ publisher, id, key }) => `${publisher}/${id}:${key.toString('base64')}`).join(',');
}
