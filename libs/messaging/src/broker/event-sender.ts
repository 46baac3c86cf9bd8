import { isEventType, mayPublish, type ServiceName } from '@pay/contracts';
import type { EventSignatures } from './event-signatures';
import type { OutgoingMessage } from './publisher';
import { addressedKey, consumersOf, isQueueName, ownerOf, type Names } from './topology';

export interface Identity {
  readonly service: ServiceName;
  readonly signatures: EventSignatures;
}

export interface Addressed {
  readonly type: string;
  readonly routingKey: string;
  /** Null: all consumers. */
  readonly targetQueue: string | null;
}

/**
 * Destinations and signatures of events. Events are signed when they are sent, so that delayed and replayed events use
 * the newest key.
 */
export class EventSender {
  private readonly readers = new Map<string, readonly ServiceName[]>();

  /** The first identity is that of the process. Only tests have more. */
  constructor(
    private readonly names: Names,
    private readonly identities: readonly [Identity, ...Identity[]],
  ) {}

  mayPublish(type: string): boolean {
    return isEventType(type) && this.identities.some(({ service }) => mayPublish(service, type));
  }

  publisherOf(type: string): ServiceName {
    return this.identityFor(type).service;
  }

  prepare(
    { type, routingKey, targetQueue }: Addressed,
    body: Buffer,
  ): Pick<OutgoingMessage, 'exchange' | 'routingKey' | 'headers'> {
    const { service, signatures } = this.identityFor(type);
    const key = targetQueue === null ? routingKey : addressedKey(targetQueue, routingKey);
    const readers = targetQueue === null ? this.readersOf(type) : readersOfQueue(targetQueue);
    return {
      exchange: this.names.events(service),
      routingKey: key,
      headers: signatures.sign({ publisher: service, routingKey: key, body }, readers),
    };
  }

  private identityFor(type: string): Identity {
    const [own] = this.identities;
    if (this.identities.length === 1 || !isEventType(type)) return own;
    return this.identities.find(({ service }) => mayPublish(service, type)) ?? own;
  }

  private readersOf(type: string): readonly ServiceName[] {
    const known = this.readers.get(type);
    if (known !== undefined) return known;
    const readers = isEventType(type) ? consumersOf(type) : [];
    this.readers.set(type, readers);
    return readers;
  }
}

function readersOfQueue(queue: string): readonly ServiceName[] {
  return isQueueName(queue) ? [ownerOf(queue)] : [];
}
