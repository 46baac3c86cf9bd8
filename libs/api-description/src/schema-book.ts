import { z } from 'zod';
import type { JsonSchema } from './document';

const LOCAL = '#/$defs/';
const SHARED = '#/components/schemas/';

/** Converts zod schemas into JSON Schema and collects those with an id (`.meta({ id })`). */
export class SchemaBook {
  private readonly found = new Map<string, JsonSchema>();

  /** The input of a request: before defaults, aliases and transformations. */
  request(schema: z.ZodType): JsonSchema {
    return this.convert(schema, 'input');
  }

  /** The content of a response, which is not transformed. */
  answer(schema: z.ZodType): JsonSchema {
    return this.convert(schema, 'output');
  }

  add(id: string, schema: JsonSchema): void {
    const known = this.found.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new TypeError(`two different schemas have the id ${id}`);
    }
    this.found.set(id, schema);
  }

  find(id: string): JsonSchema | undefined {
    return this.found.get(id);
  }

  /** By id, in alphabetical order. */
  shared(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _dialect,
      $defs = {},
      ...whole
    } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any', override: inOurWords(io) });
    for (const [id, definition] of Object.entries($defs)) this.add(id, shareRefs(definition) as JsonSchema);
    return shareRefs(whole) as JsonSchema;
  }
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/**
 * A `.meta()` with a type replaces the derived schema, because a transforming schema declares its input that way.
 * Otherwise it is merged, including examples, which zod omits for transformations.
 */
const inOurWords =
  (io: 'input' | 'output'): Override =>
  ({ zodSchema, jsonSchema }) => {
    const { id: _id, ...meta } = z.globalRegistry.get(zodSchema) ?? {};
    if (jsonSchema.$ref !== undefined) return;
    if (meta['type'] !== undefined) {
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, meta);
    } else if (meta.examples !== undefined) jsonSchema.examples = meta.examples as unknown[];
    // Fields may be added to objects, so clients must ignore unknown ones.
    const { def } = zodSchema._zod;
    if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
    // `format` is enough, and zod's pattern is longer than the rest of the schema. Requests keep the pattern of UUIDs,
    // because it accepts fewer texts than the format.
    const isText = zodSchema._zod.def.type === 'string';
    const isNarrower = io === 'input' && jsonSchema.format === 'uuid';
    if (jsonSchema.format !== undefined && meta['pattern'] === undefined && isText && !isNarrower)
      delete jsonSchema.pattern;
    if (jsonSchema.pattern !== undefined) jsonSchema.pattern = inEveryDialect(jsonSchema.pattern);
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  };

/** `\d` matches the digits of every script in some regular expression dialects. */
function inEveryDialect(pattern: string): string {
  let isInClass = false;
  return pattern.replace(/\\[^]|\[|\]/g, (token) => {
    if (token === '[') isInClass = true;
    if (token === ']') isInClass = false;
    if (token !== '\\d') return token;
    return isInClass ? '0-9' : '[0-9]';
  });
}

function shareRefs(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(shareRefs);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(LOCAL, SHARED) : shareRefs(value),
    ]),
  );
}
