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
import { HEADERS } from '../broker/message-format';
import { addressedKey, type QueueName, type RetryStep } from '../broker/topology';

export interface Delivery {
  readonly message: ConsumeMessage;
  /** Whether it is the last event of its message, so that the message can be acknowledged. */
  readonly isLast: boolean;
  readonly id: string;
  readonly body: () => Buffer;
  /** The event, or the reason why it could not be read. */
  readonly content: Content;
  /** The service whose signature was verified; absent if it was invalid. */
  readonly publisher: ServiceName | undefined;
  /** The signature headers as received. */
  readonly signature: SignatureHeaders;
  readonly tries: number;
  readonly firstSeen: string;
  readonly originalRoutingKey: string;
  /** Number of earlier deliveries by the broker. The death of a consumer counts for every message that it held. */
  readonly timesReturned: number;
}

export type Content =
  | { readonly event: EventOf }
  | { readonly probe: ProbedType }
  | { readonly rejectedProbe: string }
  | { readonly violation: string; readonly kind: 'contract' | 'unsigned' | 'signature' | 'publisher' };

export interface Checking {
  readonly queue: QueueName;
  readonly signatures: Pick<EventSignatures, 'verify'>;
}

export function eventsIn(message: ConsumeMessage): number {
  return Math.max(1, count(message.properties.headers?.[HEADERS.events]));
}

/**
 * Reads the events of a message; contract violations are returned, not thrown. A message with an invalid signature is
 * not parsed and is one delivery.
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

/** Whether the publisher may publish this event and addressed it to this queue. */
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

/** Delay before each retry of a failed message, about 21 minutes in total. After the last one the message is parked. */
const ROUNDS: readonly RetryStep[] = ['5s', '5s', '30s', '30s', '5m', '5m', '5m', '5m'];

/** After this time since its first receipt, a message that waits for a lock or another event uses its last retries. */
const BLOCKED_AT_MOST_MS = 2 * 3_600_000;

/**
 * The retry queue of a failed message and the number of its retries then; undefined: parked. `isBlocked`: it
 * timed out at a lock or waits for an earlier event. A lock that lasts longer than all retries parks nothing, but a
 * message that is always blocked is parked in the end.
 */
export function nextRound(
  { tries, firstSeen }: Pick<Delivery, 'tries' | 'firstSeen'>,
  { isBlocked, now }: { readonly isBlocked: boolean; readonly now: Date },
): { readonly step: RetryStep; readonly tries: number } | undefined {
  const step = ROUNDS[tries];
  if (step === undefined) return undefined;
  const isExcused = isBlocked && step === '5m' && now.getTime() - Date.parse(firstSeen) < BLOCKED_AT_MOST_MS;
  return { step, tries: isExcused ? tries : tries + 1 };
}

/** From this number of redeliveries on, a message is handled alone, because it may have crashed the process. */
export const SUSPECT_AFTER_RETURNS = 5;
/** A message is parked after it was started alone this often without any result. */
export const MOST_DEATHS_ALONE = 5;
