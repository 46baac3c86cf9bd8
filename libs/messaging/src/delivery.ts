import type { ConsumeMessage } from 'amqplib';
import { ContractViolation, parseBody, readEvent, type EventOf } from '@pay/contracts';
import type { RetryStep } from './topology';

/** Headers of ours on messages that were set aside or parked. */
export const HEADERS = {
  tries: 'x-tries',
  firstSeen: 'x-first-seen',
  parkedAt: 'x-parked-at',
  reason: 'x-reason',
  originalRoutingKey: 'x-original-routing-key',
  /** How many events the message carries; absent: one. */
  events: 'x-events',
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
  readonly content: { readonly event: EventOf } | { readonly violation: string };
  /** How often it was set aside so far. */
  readonly tries: number;
  readonly firstSeen: string;
  readonly originalRoutingKey: string;
  /** How often the broker has handed it out before: every death of a consumer counts for all that it held. */
  readonly timesReturned: number;
}

/** How many events a message says that it carries. */
export function eventsIn(message: ConsumeMessage): number {
  return Math.max(1, count(message.properties.headers?.[HEADERS.events]));
}

/** Reads the events of a message; what breaks the contract is an answer and not an error. */
export function readDeliveries(message: ConsumeMessage, now: Date): Delivery[] {
  const { properties, fields } = message;
  const headers = properties.headers ?? {};
  const common = {
    message,
    tries: count(headers[HEADERS.tries]),
    firstSeen: text(headers[HEADERS.firstSeen]) ?? now.toISOString(),
    originalRoutingKey: text(headers[HEADERS.originalRoutingKey]) ?? fields.routingKey,
    timesReturned: count(headers['x-delivery-count']),
  };
  const named = text(properties.messageId) ?? 'unknown';
  const parsed = attempt(() => parseBody(message.content));
  if ('violation' in parsed) {
    return [{ ...common, isLast: true, id: named, body: () => message.content, content: parsed }];
  }
  const json = parsed.result;
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

function read(json: unknown): Delivery['content'] {
  const event = attempt(() => readEvent(json));
  return 'violation' in event ? event : { event: event.result };
}

function attempt<Result>(work: () => Result): { readonly result: Result } | { readonly violation: string } {
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof ContractViolation) return { violation: error.message };
    return { violation: 'the body could not be read' };
  }
}

function idOf(content: Delivery['content']): string | undefined {
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

/** Where a message goes that could not be handled and was set aside `tries` times before; undefined: parked. */
export function nextRound(tries: number): RetryStep | undefined {
  return ROUNDS[tries];
}

/** From here on a message is handled alone: the process may have died of it. */
export const SUSPECT_AFTER_RETURNS = 5;
/** So often a message may be begun alone without an end, of any kind, before it is parked. */
export const MOST_DEATHS_ALONE = 5;
