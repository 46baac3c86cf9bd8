import { EVENTS, type Environment, type EventData, type EventType } from '@pay/contracts';
import { newId } from '@pay/runtime';

/** The envelope without the trace context, which is added on write. */
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
  /** Default: a new UUID v7. */
  readonly id?: string;
}

/** Creates an event of one type. Invalid data or an unknown field throws here, in the transaction of the change. */
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

/** Path of the first field that the schema does not know. */
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
