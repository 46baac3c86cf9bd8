import { EVENTS, type Environment, type EventData, type EventType } from '@pay/contracts';
import { newId } from '@pay/runtime';

/**
 * An event that is about to be published: the envelope without the trace context, which is added when it is written.
 */
export interface EventDraft {
  readonly id: string;
  readonly type: EventType;
  readonly version: number;
  readonly occurredAt: string;
  readonly environment: Environment | null;
  readonly merchantId: string | null;
  readonly aggregateId: string;
  readonly sequence: number;
  readonly data: unknown;
}

export interface DraftInput<Type extends EventType> {
  readonly environment: Environment | null;
  readonly merchantId: string | null;
  readonly aggregateId: string;
  readonly sequence: number;
  readonly data: EventData<Type>;
  readonly occurredAt: Date | string;
  /** A fresh UUID v7 unless given. */
  readonly id?: string;
}

/**
 * Makes an event of one type. Producers are strict: data that breaks the contract throws here, in the transaction of
 * the change, and so does a field that the contract does not name.
 */
export function draft<Type extends EventType>(type: Type, input: DraftInput<Type>): EventDraft {
  const { environment, merchantId, aggregateId, sequence, occurredAt } = input;
  const data = EVENTS[type].data.parse(input.data);
  const unknown = droppedField(input.data, data);
  if (unknown !== undefined) throw new TypeError(`${type} has no field ${unknown}`);
  return {
    id: input.id ?? newId(),
    type,
    version: EVENTS[type].version,
    occurredAt: typeof occurredAt === 'string' ? occurredAt : occurredAt.toISOString(),
    environment,
    merchantId,
    aggregateId,
    sequence,
    data,
  };
}

/** Path of the first field that the schema has dropped, because it does not know it. */
function droppedField(given: unknown, kept: unknown, path = ''): string | undefined {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return undefined;
  const known = kept as Readonly<Record<string, unknown>>;
  const wanted = given as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(wanted)) {
    const value = wanted[key];
    if (value === undefined || value === known[key]) continue;
    const here = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(known, key)) return here;
    const inner = droppedField(value, known[key], here);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
