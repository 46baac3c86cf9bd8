import type { JsonSchema } from './document';

/** Values of fields whose schema gives no example, by the name of the field. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  amount: '1250.5',
  customer_reference: 'TEA-77',
  customerReference: 'TEA-77',
  merchant_reference: 'INV-2026-0041',
  merchantReference: 'INV-2026-0041',
  receiver_msisdn: '01712345678',
  receiverMsisdn: '01712345678',
  senderMsisdn: '01812345678',
  msisdn: '01712345678',
  trx_id: 'DKL4A1B2C3',
  trxId: 'DKL4A1B2C3',
  payer: '0181XXXX678',
  email: 'owner@shop.example',
  url: 'https://shop.example/webhooks',
  expectedAmount: '1250.5',
  receivedAmount: '1250',
  password: 'four-random-words-here',
  newPassword: 'four-random-words-here',
  code: '123456',
  signingSecret: 'a-long-random-signing-secret',
  colour: '#0b5d4e',
  digest: '0123456789abcdef',
  logo: 'data:image/png;base64,iVBORw0KGgo=',
};
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01935002-0000-7000-8000-00000000b001',
  'date-time': '2026-11-20T09:01:32.000Z',
  date: '2026-11-20',
  email: 'owner@shop.example',
  uri: 'https://shop.example/paid',
};

/** Deepest nesting of an example: a schema may refer to itself. */
const DEEPEST = 12;

/**
 * One value that a schema allows: its own example, or one composed from its parts. The same schema always gives the
 * same value.
 */
export class Examples {
  constructor(private readonly shared: (name: string) => JsonSchema | undefined) {}

  of(schema: JsonSchema, name = '', depth = 0): unknown {
    if (depth > DEEPEST) return null;
    const own = ownExample(schema);
    if (own !== undefined) return own;
    if (typeof schema['$ref'] === 'string') {
      return this.of(this.shared(schema['$ref'].split('/').at(-1) ?? '') ?? {}, name, depth + 1);
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
        return schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? 0) + 1;
      case 'string':
        return textOf(schema, name);
      default:
        return null;
    }
  }

  private ofObject(schema: JsonSchema, depth: number): unknown {
    const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
    const named = properties.filter(([, property]) => property['not'] === undefined);
    // A record with a fixed set of keys names them as required alone.
    const others = ((schema['required'] ?? []) as readonly string[])
      .filter((key) => !properties.some(([name]) => name === key))
      .map((key) => [key, (schema['additionalProperties'] ?? {}) as JsonSchema] as const);
    return Object.fromEntries([...named, ...others].map(([key, property]) => [key, this.of(property, key, depth + 1)]));
  }
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
  if (typeof format === 'string' && BY_FORMAT[format] !== undefined) return BY_FORMAT[format];
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : 'text';
}
