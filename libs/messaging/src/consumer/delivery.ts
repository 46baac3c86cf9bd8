import type { ConsumeMessage } from 'amqplib';
import {
  ContractViolation,
  isEventType,
  mayPublish,
  parseBody,
  readEvent,
  readProbe,
  type EventOf,
  type ProbedType,
  type ServiceName,
} from '@pay/contracts';
import { signatureOf, type EventSignatures, type SignatureHeaders } from '../broker/event-signatures';
import { addressedKey, type QueueName, type RetryStep } from '../broker/topology';

/** Headers of ours on messages that were moved to a retry queue or parked. */
export const HEADERS = {
  tries: 'x-tries',
  firstSeen: 'x-first-seen',
  parkedAt: 'x-parked-at',
  reason: 'x-reason',
  originalRoutingKey: 'x-original-routing-key',
  /** How many events the message carries; absent: one. */
  events: 'x-events',
  /** On a probe of a binding: when its signature is rejected, it is dropped and not parked. */
  probe: 'x-probe',
} as const;

/** An event as it came from a work queue, in a message of its own or together with others. */
export interface Delivery {
  readonly message: ConsumeMessage;
  /** The last one in its message: with it, everything of the message has been gone through. */
  readonly isLast: boolean;
  readonly id: string;
  /** The bytes of this event alone. */
  readonly body: () => Buffer;
  /** The event, or why there is none. */
  readonly content: Content;
  /** The service whose signature was checked; absent when none was needed, or when it did not fit. */
  readonly publisher: ServiceName | undefined;
  /** The headers of the signature, as they came. */
  readonly signature: SignatureHeaders;
  /** How often it was retried so far. */
  readonly tries: number;
  readonly firstSeen: string;
  readonly originalRoutingKey: string;
  /** How often the broker has handed it out before: every death of a consumer counts for all that it held. */
  readonly timesReturned: number;
}

/** An event that may be handled, a probe of a binding, or why the message is parked. */
export type Content =
  | { readonly event: EventOf }
  | { readonly probe: ProbedType }
  | { readonly rejectedProbe: string }
  | { readonly violation: string; readonly kind: 'contract' | 'unsigned' | 'signature' | 'publisher' };

/** How the messages of a queue are checked before they are read. */
export interface Checking {
  readonly queue: QueueName;
  readonly signatures: Pick<EventSignatures, 'verify'>;
}

/** How many events a message says that it carries. */
export function eventsIn(message: ConsumeMessage): number {
  return Math.max(1, count(message.properties.headers?.[HEADERS.events]));
}

/**
 * Reads the events of a message; what breaks the contract is an answer and not an error. A message whose signature does
 * not fit is not read at all: it is one delivery, whatever it holds.
 */
export function readDeliveries(message: ConsumeMessage, now: Date, checking?: Checking): Delivery[] {
  const { properties, fields } = message;
  const headers = properties.headers ?? {};
  const originalRoutingKey = text(headers[HEADERS.originalRoutingKey]) ?? fields.routingKey;
  const signatureCheck = checking?.signatures.verify(headers, originalRoutingKey, message.content) ?? {
    publisher: undefined,
  };
  const publisher = 'publisher' in signatureCheck ? signatureCheck.publisher : undefined;
  const common = {
    message,
    publisher,
    signature: signatureOf(headers),
    tries: count(headers[HEADERS.tries]),
    firstSeen: text(headers[HEADERS.firstSeen]) ?? now.toISOString(),
    originalRoutingKey,
    timesReturned: count(headers['x-delivery-count']),
  };
  const named = text(properties.messageId) ?? 'unknown';
  const whole = (content: Content) => [{ ...common, isLast: true, id: named, body: () => message.content, content }];
  if ('rejected' in signatureCheck)
    return whole(
      HEADERS.probe in headers
        ? { rejectedProbe: signatureCheck.reason }
        : { violation: signatureCheck.reason, kind: signatureCheck.rejected },
    );
  const parsed = attempt(() => parseBody(message.content));
  if ('violation' in parsed) return whole(parsed);
  const read = (json: unknown) => admitted(readContent(json), publisher, originalRoutingKey, checking);
  const json = parsed.result;
  const probe = readProbe(json);
  if (probe !== undefined) return whole(admittedProbe(probe, publisher, originalRoutingKey));
  if (!Array.isArray(json) || json.length === 0) {
    const content = read(json);
    return [{ ...common, isLast: true, id: idOf(content) ?? named, body: () => message.content, content }];
  }
  return json.map((each: unknown, place) => {
    const content = read(each);
    return {
      ...common,
      isLast: place === json.length - 1,
      id: idOf(content) ?? (place === 0 ? named : `${named}#${place}`),
      body: () => Buffer.from(JSON.stringify(each)),
      content,
    };
  });
}

function readContent(json: unknown): Content {
  const event = attempt(() => readEvent(json));
  return 'violation' in event ? event : { event: event.result };
}

/** Whether the publisher may publish this event, and has sent it here. */
function admitted(
  content: Content,
  publisher: ServiceName | undefined,
  routingKey: string,
  checking: Checking | undefined,
): Content {
  if (checking === undefined || publisher === undefined || !('event' in content)) return content;
  const { type, version } = content.event;
  if (!mayPublish(publisher, type)) return { violation: `${publisher} may not publish ${type}`, kind: 'publisher' };
  const key = `${type}.v${version}`;
  if (routingKey === key || routingKey === addressedKey(checking.queue, key)) return content;
  return { violation: `${type} was not sent to ${checking.queue}`, kind: 'publisher' };
}

function admittedProbe(probe: ProbedType, publisher: ServiceName | undefined, routingKey: string): Content {
  const { type, version } = probe;
  if (publisher === undefined) return { probe };
  const isOwn = probe.publisher === publisher && (!isEventType(type) || mayPublish(publisher, type));
  if (isOwn && routingKey === `${type}.v${version}`) return { probe };
  return { violation: `${publisher} may not probe ${type} with this routing key`, kind: 'publisher' };
}

function attempt<Result>(
  work: () => Result,
): { readonly result: Result } | { readonly violation: string; readonly kind: 'contract' } {
  try {
    return { result: work() };
  } catch (error) {
    const violation = error instanceof ContractViolation ? error.message : 'the body could not be read';
    return { violation, kind: 'contract' };
  }
}

function idOf(content: Content): string | undefined {
  return 'event' in content ? content.event.id : undefined;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What a message that failed waits, round by round; after the last it is parked. Together about 21 minutes. */
const ROUNDS: readonly RetryStep[] = ['5s', '5s', '30s', '30s', '5m', '5m', '5m', '5m'];

/** Where a message goes that could not be handled and was retried `tries` times before; undefined: parked. */
export function nextRound(tries: number): RetryStep | undefined {
  return ROUNDS[tries];
}

/** From here on a message is handled alone: the process may have died of it. */
export const SUSPECT_AFTER_RETURNS = 5;
/** So often a message may be begun alone without an end, of any kind, before it is parked. */
export const MOST_DEATHS_ALONE = 5;
