import type { JsonSchema } from './document';
import { NUMBERS, OF_SCHEMA, STATUS_OF_EVENT, STATUSES_OF_FIELD, TEXTS, TIMES } from './example-values';

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01935002-0000-7000-8000-00000000b001',
  'date-time': '2026-11-20T09:01:32.000Z',
  date: '2026-11-20',
  email: 'owner@shop.example',
  uri: 'https://shop.example/paid',
};

/** Maximum depth of an example, because a schema may refer to itself. */
const DEEPEST = 12;

/**
 * A value that a schema accepts: its own example, or one composed from its parts. The same schema always gives the same
 * value.
 */
export class Examples {
  constructor(private readonly shared: (name: string) => JsonSchema | undefined) {}

  of(schema: JsonSchema, name = '', depth = 0): unknown {
    if (depth > DEEPEST) return null;
    const own = ownExample(schema);
    if (own !== undefined) return own;
    if (typeof schema['$ref'] === 'string') {
      const id = schema['$ref'].split('/').at(-1) ?? '';
      const example = this.of(this.shared(id) ?? {}, name, depth + 1);
      return Object.hasOwn(OF_SCHEMA, id) ? { ...(example as object), ...OF_SCHEMA[id] } : example;
    }
    const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
    const chosen = choices?.find((each) => each['type'] !== 'null');
    if (chosen !== undefined) return this.of(chosen, name, depth + 1);
    return this.ofType(schema, name, depth);
  }

  private ofType(schema: JsonSchema, name: string, depth: number): unknown {
    const types = [schema['type']].flat();
    switch (types.find((type) => type !== 'null')) {
      case 'object':
        return this.ofObject(schema, depth);
      case 'array':
        return schema['items'] === undefined ? [] : [this.of(schema['items'] as JsonSchema, name, depth + 1)];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return numberOf(schema, name);
      case 'string':
        return textOf(schema, name);
      default:
        return null;
    }
  }

  private ofObject(schema: JsonSchema, depth: number): unknown {
    const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
    // A property without a type is one that the object must not have: `{"not": {}}`.
    const named = properties.filter(([, { not, type }]) => not === undefined || type !== undefined);
    // A record with a fixed set of keys lists them only as required.
    const others = ((schema['required'] ?? []) as readonly string[])
      .filter((key) => !properties.some(([name]) => name === key))
      .map((key) => [key, (schema['additionalProperties'] ?? {}) as JsonSchema] as const);
    const fields = [...named, ...others].map(([key, property]) => [key, this.of(property, key, depth + 1)] as const);
    return eventBody(withoutOtherStatuses(Object.fromEntries(fields)));
  }
}

/** Fields of one status are null with another one. */
function withoutOtherStatuses(example: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { status } = example;
  if (typeof status !== 'string') return example;
  const others = Object.keys(example).filter((key) => STATUSES_OF_FIELD[key]?.includes(status) === false);
  return { ...example, ...Object.fromEntries(others.map((key) => [key, null])) };
}

/** The event of a webhook body implies the status of its intent. */
function eventBody(example: Readonly<Record<string, unknown>>): unknown {
  const { event, data } = example;
  if (typeof event !== 'string' || !Object.hasOwn(STATUS_OF_EVENT, event)) return example;
  return { ...example, data: { ...(data as object), status: STATUS_OF_EVENT[event] } };
}

function ownExample(schema: JsonSchema): unknown {
  const [example] = (schema['examples'] ?? []) as readonly unknown[];
  if (example !== undefined) return example;
  if (schema['const'] !== undefined) return schema['const'];
  const [first] = (schema['enum'] ?? []) as readonly unknown[];
  return first ?? schema['default'];
}

function textOf(schema: JsonSchema, name: string): unknown {
  const format = schema['format'];
  if (format === 'date-time' && Object.hasOwn(TIMES, name)) return TIMES[name];
  if (typeof format === 'string' && BY_FORMAT[format] !== undefined) return BY_FORMAT[format];
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : 'text';
}

function numberOf(schema: JsonSchema, name: string): unknown {
  if (Object.hasOwn(NUMBERS, name)) return NUMBERS[name];
  return schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? 0) + 1;
}
