import type { ConsumeMessage } from 'amqplib';
import { ContractViolation, decodeEvent, type EventOf } from '@pay/contracts';
import type { RetryStep } from './topology';

/** Headers of ours on messages that were set aside or parked. */
export const HEADERS = {
  tries: 'x-tries',
  firstSeen: 'x-first-seen',
  parkedAt: 'x-parked-at',
  reason: 'x-reason',
  originalRoutingKey: 'x-original-routing-key',
} as const;

/** A message as it came from a work queue. */
export interface Delivery {
  readonly message: ConsumeMessage;
  readonly id: string;
  /** The event, or why there is none. */
  readonly content: { readonly event: EventOf } | { readonly violation: string };
  /** How often it was set aside so far. */
  readonly tries: number;
  readonly firstSeen: string;
  readonly originalRoutingKey: string;
  /** How often the broker has handed it out before: every death of a consumer counts for all that it held. */
  readonly timesReturned: number;
}

/** Reads a delivery; what breaks the contract is an answer and not an error. */
export function readDelivery(message: ConsumeMessage, now: Date): Delivery {
  const headers = message.properties.headers ?? {};
  const content = decode(message);
  return {
    message,
    content,
    id: 'event' in content ? content.event.id : (text(message.properties.messageId) ?? 'unknown'),
    tries: count(headers[HEADERS.tries]),
    firstSeen: text(headers[HEADERS.firstSeen]) ?? now.toISOString(),
    originalRoutingKey: text(headers[HEADERS.originalRoutingKey]) ?? message.fields.routingKey,
    timesReturned: count(headers['x-delivery-count']),
  };
}

function decode(message: ConsumeMessage): Delivery['content'] {
  try {
    return { event: decodeEvent(message.content) };
  } catch (error) {
    if (error instanceof ContractViolation) return { violation: error.message };
    return { violation: 'the body could not be read' };
  }
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
