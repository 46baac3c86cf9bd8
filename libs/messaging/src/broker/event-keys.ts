import { PUBLISHERS, SERVICES, type ServiceName } from '@pay/contracts';
import type { EncryptionKey } from '@pay/runtime';
import { macOf } from '@pay/signing';
import { queuesOf, typesOf } from './topology';

/** The key with which one consumer checks what one publisher has signed with one of its keys. */
export interface VerificationKey extends EncryptionKey {
  readonly publisher: string;
}

/** The keys of one service. */
export interface EventKeys {
  /** Of the service alone; the first one signs. The others only check what it signed for itself before. */
  readonly signing: readonly EncryptionKey[];
  /** Derived for this service from the signing keys of those that it listens to. */
  readonly verification: readonly VerificationKey[];
  /** Only while a version that does not sign is being replaced: events without a signature are taken. */
  readonly acceptUnsigned: boolean;
}

/**
 * The key that a publisher and one consumer share. A consumer that holds it can neither derive the publisher's key from
 * it nor the key of another consumer: what it could forge, it alone would believe.
 */
export function derivedKey(signingKey: Buffer, consumer: ServiceName): Buffer {
  return macOf(signingKey, `pay event verification: ${consumer}`);
}

/** The other services whose events a service takes. */
export function publishersFor(consumer: ServiceName): ServiceName[] {
  const types = new Set(queuesOf(consumer).flatMap(typesOf));
  return SERVICES.filter(
    (service) => service !== consumer && [...types].some((type) => PUBLISHERS[type].includes(service)),
  );
}

/** What a consumer is given of the signing keys of all services. */
export function verificationKeysFor(
  consumer: ServiceName,
  signing: Readonly<Record<ServiceName, readonly EncryptionKey[]>>,
): VerificationKey[] {
  return publishersFor(consumer).flatMap((publisher) =>
    signing[publisher].map(({ id, key }) => ({ publisher, id, key: derivedKey(key, consumer) })),
  );
}

/** As EVENT_VERIFICATION_KEYS holds them. */
export function formatVerificationKeys(keys: readonly VerificationKey[]): string {
  return keys.map(({ publisher, id, key }) => `${publisher}/${id}:${key.toString('base64')}`).join(',');
}
