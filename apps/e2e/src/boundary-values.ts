import fc from 'fast-check';
import type { ApiDocument, JsonSchema } from './api-document';

/** Characters that validation often misses: all kinds of white space, NUL, digits of other scripts, surrogate pairs. */
const TEXTS: readonly string[] = [
  ...['', ' ', '\t', '\n', '\u00a0', '\u3000', '\ufeff', '\u0085', '\u001c', '\u0000', '\u0007', '\u202e'],
  ...['a', 'A', '0', '-1', '-', '.', '#', '/', "'", '"', '%', '+', '_', 'null', 'true', 'é', 'ক', '১২৩৪৫৬', '💸'],
  ...[' a', 'a ', 'a\n', '\na', 'a b', 'a\u0000b', 'abcdef', 'ABCDEF', '123456', '1.5', '1e3', '01', '0.00', '0.001'],
  ...['a://b', 'WWW.a'],
];

const TEXTS_OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '1000-01-01T00:00:00Z'],
    ...['1292-11-30T11:55:10Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00+14:00'],
    ...['2000-01-01T00:00:00Z', '2024-02-29T23:59:59.999Z', '2026-11-21T10:00:00-23:59', '2026-11-21T10:00:00+23:59'],
    ...['2099-12-31T23:59:59Z', '2099-12-31T23:59:59-23:59', '2100-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    ...['9999-12-31T23:59:59-23:59', '2026-11-21t10:00:00z', '2026-11-21T23:59:60Z', '2026-11-21 10:00:00Z'],
    ...[`2026-11-21T10:00:00.${'1'.repeat(9)}Z`, `2026-11-21T10:00:00.${'1'.repeat(300)}Z`, '2026-02-30T00:00:00Z'],
    ...[
      '2026-13-01T00:00:00Z',
      '2026-11-21T25:00:00Z',
      '2026-11-21T10:00:00',
      '2026-11-21',
      '2026-11-21T10:00:00+0600',
    ],
  ],
  date: [
    ...['0000-01-01', '0001-01-01', '0999-12-31', '1000-01-01', '1969-12-31', '1970-01-01', '2024-02-29', '2026-02-29'],
    ...['2099-12-31', '2100-01-01', '9999-12-31', '2026-13-01', '2026-1-1', '10000-01-01', '2026-11-21T00:00:00Z'],
  ],
  uuid: [
    ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ...[
      'e3e70682-c209-1cac-a29f-6fbed82c07cd',
      'e3e70682-c209-0cac-029f-6fbed82c07cd',
      'E3E70682-C209-FCAC-F29F-6FBED82C07CD',
    ],
    ...['urn:uuid:e3e70682-c209-4cac-a29f-6fbed82c07cd', 'e3e70682c2094caca29f6fbed82c07cd'],
    'g3e70682-c209-4cac-a29f-6fbed82c07cd',
  ],
  email: [
    ...['a@shop.example', 'A.B+c@shop.example', 'a@b', '.a@shop.example', 'a..b@shop.example', 'a@-shop.example'],
    ...[
      '"a b"@shop.example',
      'a@[127.0.0.1]',
      'ä@shop.example',
      'a@shop.example\n',
      'a@b@shop.example',
      '@shop.example',
    ],
    ...["o'neil@shop.example", '!#$%&*@shop.example', 'a@shop.e', 'a@shop.e1'],
    ...[64, 65].map((length) => `${'a'.repeat(length)}@shop.example`),
    ...[63, 64].map((length) => `a@${'b'.repeat(length)}.example`),
  ],
  uri: [
    ...[
      'https://shop.example',
      'HTTP://SHOP.EXAMPLE:8080/a?b=c#d',
      'https://shop.example/%zz',
      'https://shop.example/a b',
    ],
    ...[
      'https://a',
      'https://a:b@shop.example/',
      'https://@shop.example/',
      'https://shop.example:0/',
      'https://shop.example:/',
    ],
    ...[
      'https://shop.example:99999/',
      'https://shop.example:65535/',
      'https://shop.example./',
      'https://-shop.example/',
    ],
    ...[
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://0/',
      'http://1.2.3.4.5/',
      'http://256.256.256.256/',
      'https://%41.example/',
    ],
    ...[
      'https://xn--a.example/',
      'https://shop..example/',
      'https://a_b.example/',
      'https://shop.1/',
      'https://shop.0x1/',
    ],
    ...[
      'https:///a',
      'https://',
      'https:/shop.example',
      'ftp://shop.example/',
      'javascript:alert(1)',
      '/a',
      'shop.example',
    ],
    ...[
      'https://localhost/',
      'https://a.local/',
      'https://a.internal/',
      'https://shop.example/é',
      'https://é.example/',
    ],
    ...['https://shop.example\\a', 'https://shop.example/a\\b', 'https://shop.example?a', 'https://shop.example#a'],
    ...['https://shop.example/^', 'https://shop.example/a|b', "https://shop.example/a'b", 'https://shop.example/[a]'],
  ],
};

const NUMBERS: readonly number[] = [
  ...[-1, 0, 1, 2, 0.5, 0.01, 0.07, 0.29, 0.57, 0.1 + 0.2, 0.001, 1e-7, 5e-324, 1.1, 4.35, 999_999.99],
  ...[1e15, 1e16, 1e21, 2 ** 31, 2 ** 53, -(2 ** 53), Number.MAX_VALUE],
];

const OTHER_TYPES: readonly unknown[] = [null, true, false, 7, 1.5, 'text', [], ['text'], {}, { a: 1 }];

/** Values at and beyond the limits of a schema, and of other types. The document decides which ones are valid. */
export function boundaryValues(document: ApiDocument, schema: JsonSchema, seed: number): unknown[] {
  const values = alternativesOf(document, schema).flatMap((alternative) => valuesAround(document, alternative, seed));
  return distinct([...values, ...OTHER_TYPES]);
}

/** Resolves references, and returns one schema per choice. */
export function alternativesOf(document: ApiDocument, schema: JsonSchema): JsonSchema[] {
  const { anyOf, oneOf, ...rest } = document.resolve(schema);
  const choices = anyOf ?? oneOf;
  if (!Array.isArray(choices)) return [rest];
  return choices.flatMap((choice) =>
    alternativesOf(document, choice as JsonSchema).map((alternative) => ({ ...rest, ...alternative })),
  );
}

function valuesAround(document: ApiDocument, schema: JsonSchema, seed: number): unknown[] {
  const types = ([] as unknown[]).concat(schema['type'] ?? []);
  return [
    ...((schema['enum'] as unknown[] | undefined) ?? []),
    ...((schema['examples'] as unknown[] | undefined) ?? []),
    ...('const' in schema ? [schema['const']] : []),
    ...(types.includes('string') ? textsAround(schema, seed) : []),
    ...(types.includes('integer') || types.includes('number') ? numbersAround(schema) : []),
    ...(types.includes('array') ? arraysAround(document, schema, seed) : []),
    ...(types.includes('object') ? mapsAround(document, schema, seed) : []),
  ];
}

function textsAround(schema: JsonSchema, seed: number): string[] {
  const { minLength: min, maxLength: max, format } = schema as Record<string, unknown>;
  const lengths = [Number(min ?? 1) - 1, Number(min ?? 1), Number(max ?? 99), Number(max ?? 99) + 1];
  const filled = lengths
    .filter((length) => length >= 0 && length <= 20_000)
    .flatMap((length) => ['a', 'ক', '💸', ' '].map((one) => one.repeat(length)));
  const fitting = fc.sample(textLike(schema), { numRuns: 12, seed });
  const changed = fitting.flatMap((text, index) => [
    `${text}\n`,
    ` ${text} `,
    `${text}\u0000`,
    `${text}১`,
    `${text}!`,
    index % 2 === 0 ? text.toLowerCase() : text.toUpperCase(),
    Array.from(text).slice(1).join(''),
  ]);
  return [...TEXTS, ...filled, ...fitting, ...changed, ...(TEXTS_OF_FORMAT[String(format)] ?? [])];
}

/** Text for a schema with a pattern or length limits. Ignores `format`. */
export function textLike({ pattern, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<string> {
  const min = Number(minLength);
  const max = Math.min(Number(maxLength ?? min + 100), Math.max(min, 400));
  const expression = new RegExp(typeof pattern === 'string' ? pattern : '', 'u');
  const fits = (text: string) =>
    expression.test(text) && Array.from(text).length >= min && Array.from(text).length <= max;
  const letter = fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'));
  const simple = fc.string({ minLength: min, maxLength: max, unit: letter });
  const any = fc.string({ minLength: min, maxLength: max, unit: 'grapheme' });
  // Values that pass the filter must be frequent, because generating one would take too long otherwise.
  const isUsual = fits('a'.repeat(Math.max(min, 1)));
  return (isUsual ? fc.oneof(simple, any) : fc.stringMatching(expression, { maxLength: max })).filter(fits);
}

function numbersAround(schema: JsonSchema): number[] {
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].flatMap((name) => {
    const bound = schema[name];
    return typeof bound === 'number' ? [bound - 1, bound - 0.01, bound, bound + 0.01, bound + 1] : [];
  });
  return [...NUMBERS, ...bounds];
}

function arraysAround(document: ApiDocument, schema: JsonSchema, seed: number): unknown[] {
  const items = (schema['items'] ?? {}) as JsonSchema;
  const around = boundaryValues(document, items, seed);
  const [one] = around.filter((value) => document.obeys(items, value));
  const { minItems, maxItems } = schema as Record<string, unknown>;
  const lengths = [Number(minItems ?? 0) - 1, Number(minItems ?? 0), Number(maxItems ?? 3), Number(maxItems ?? 3) + 1];
  return [
    [],
    ...lengths.filter((length) => length >= 0).map((length) => Array.from({ length }, () => one)),
    ...around.map((item) => [item]),
    [one, one],
  ];
}

/** Objects whose names are arbitrary or listed. */
function mapsAround(document: ApiDocument, schema: JsonSchema, seed: number): unknown[] {
  const values = schema['additionalProperties'];
  if (typeof values !== 'object' || values === null || schema['properties'] !== undefined) return [];
  const listed = listedNames(document, schema);
  const around = boundaryValues(document, values as JsonSchema, seed);
  const fitting = ['v', ...around].find((value) => document.obeys(values as JsonSchema, value));
  const pairs = Number(schema['maxProperties'] ?? 5);
  const withNames = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, fitting]));
  const counted = (count: number) => withNames(Array.from({ length: count }, (_, index) => `k${index}`));
  return [
    ...[...listed, ...TEXTS, '__proto__', 'x'.repeat(40), 'x'.repeat(41), '💸'.repeat(40), '💸'.repeat(41)].map(
      (name) => withNames([name]),
    ),
    ...around.map((value) => ({ [listed[0] ?? 'k']: value })),
    withNames(listed),
    withNames([...listed, 'k']),
    counted(pairs),
    counted(pairs + 1),
  ];
}

/** Empty if the names of an object are arbitrary. */
export function listedNames(document: ApiDocument, schema: JsonSchema): string[] {
  const names = schema['propertyNames'] as JsonSchema | undefined;
  return (names && (document.resolve(names)['enum'] as string[] | undefined)) ?? [];
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
