import { createHash, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { macOf } from '@pay/signing';
import { derivedKey, publishersFor, type EventKeys } from './event-keys';

export type SignatureHeaders = Readonly<Record<string, string>>;

const PUBLISHER = 'x-publisher';
const SIGNER = 'x-signer';
const KEY_ID = 'x-key-id';
const MAC = 'x-mac.';

export interface SignedMessage {
  readonly publisher: ServiceName;
  readonly routingKey: string;
  readonly body: Buffer;
}

export type SignatureCheck =
  { readonly publisher: ServiceName } | { readonly rejected: 'unsigned' | 'signature'; readonly reason: string };

/**
 * Signs and verifies messages with HMAC-SHA-256, one short MAC per consuming service. A message is hashed once,
 * regardless of the number of consumers.
 */
export class EventSignatures {
  private readonly signing: { readonly id: string; readonly keys: ReadonlyMap<ServiceName, KeyObject> };
  /** By signer and key id. */
  private readonly checking = new Map<string, KeyObject>();

  constructor(
    private readonly service: ServiceName,
    { signing, verification }: EventKeys,
  ) {
    const [current] = signing;
    if (current === undefined) throw new RangeError('EVENT_SIGNING_KEYS: at least one key is needed');
    const keys = SERVICES.map((consumer) => [consumer, createSecretKey(derivedKey(current.key, consumer))] as const);
    this.signing = { id: current.id, keys: new Map(keys) };
    for (const { id, key } of signing) this.checking.set(place(service, id), createSecretKey(derivedKey(key, service)));
    if (verification === undefined) return;
    for (const { publisher, id, key } of verification) this.checking.set(place(publisher, id), createSecretKey(key));
    const missing = publishersFor(service).filter((name) => !verification.some(({ publisher }) => publisher === name));
    if (missing.length > 0) throw new RangeError(`EVENT_VERIFICATION_KEYS: there is no key for ${missing.join(', ')}`);
  }

  sign({ publisher, routingKey, body }: SignedMessage, readers: readonly ServiceName[]): SignatureHeaders {
    const digest = createHash('sha256').update(body).digest();
    const headers: Record<string, string> = { [PUBLISHER]: publisher, [KEY_ID]: this.signing.id };
    if (publisher !== this.service) headers[SIGNER] = this.service;
    for (const reader of readers) {
      const key = this.signing.keys.get(reader) as KeyObject;
      const context = { publisher, signer: this.service, keyId: this.signing.id, reader, routingKey };
      headers[MAC + reader] = signatureFor(key, context, digest).toString('base64');
    }
    return headers;
  }

  verify(headers: Readonly<Record<string, unknown>>, routingKey: string, body: Buffer): SignatureCheck {
    const { [PUBLISHER]: publisher, [KEY_ID]: keyId, [SIGNER]: signer = publisher } = headers;
    const mac = headers[MAC + this.service];
    if (publisher === undefined && keyId === undefined && mac === undefined)
      return { rejected: 'unsigned', reason: 'the message has no signature' };
    if (!isService(publisher) || !isService(signer) || typeof keyId !== 'string' || typeof mac !== 'string')
      return rejected('the signature is incomplete');
    // The service signs messages in its retry queues again for itself, after it has verified them.
    if (signer !== publisher && signer !== this.service)
      return rejected(`the message of ${publisher} is signed by another service`);
    const key = this.checking.get(place(signer, keyId));
    if (key === undefined) return rejected(`there is no verification key of ${signer} with the id of the signature`);
    const context = { publisher, signer, keyId, reader: this.service, routingKey };
    const expected = signatureFor(key, context, createHash('sha256').update(body).digest());
    const given = Buffer.from(mac, 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return rejected(`the signature of ${signer} does not match the message`);
    return { publisher };
  }
}

/** The headers of a message that belong to its signature, to be kept when it is moved as it is. */
export function signatureOf(headers: Readonly<Record<string, unknown>>): SignatureHeaders {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && ([PUBLISHER, SIGNER, KEY_ID].includes(entry[0]) || entry[0].startsWith(MAC)),
  );
  return Object.fromEntries(kept);
}

/** Signer and key in readable form: `reconciler/k1`. */
export function signerOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { [PUBLISHER]: publisher, [KEY_ID]: keyId, [SIGNER]: signer = publisher } = headers;
  return typeof signer === 'string' && typeof keyId === 'string' ? place(signer, keyId) : undefined;
}

interface Context {
  readonly publisher: ServiceName;
  readonly signer: ServiceName;
  readonly keyId: string;
  readonly reader: ServiceName;
  readonly routingKey: string;
}

/**
 * The routing key comes last and the digest has a fixed length, so two different contexts never have the same bytes.
 */
function signatureFor(
  key: KeyObject,
  { publisher, signer, keyId, reader, routingKey }: Context,
  digest: Buffer,
): Buffer {
  return macOf(key, `pay event 1\n${publisher}\n${signer}\n${keyId}\n${reader}\n${routingKey}\n`, digest);
}

function rejected(reason: string): SignatureCheck {
  return { rejected: 'signature', reason };
}

function isService(name: unknown): name is ServiceName {
  return SERVICES.some((service) => service === name);
}

function place(service: string, keyId: string): string {
  return `${service}/${keyId}`;
}
