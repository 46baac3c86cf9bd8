import { z } from 'zod';
import { sentencesOf } from './sentences';

function sentences(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input);
  return result.success ? [] : sentencesOf(result.error.issues, input);
}

const payment = z.object(
  {
    amount: z
      .union([z.number(), z.string()], { error: 'amount must be a number' })
      .refine((amount) => Number(amount) > 0, 'amount must be more than 0'),
    idempotencyKey: z
      .string({ error: 'idempotencyKey is required and must be a string' })
      .min(1, 'idempotencyKey must not be empty'),
    metadata: z
      .record(
        z.string().max(40, 'metadata keys must be at most 40 characters'),
        z.string({ error: 'metadata values must be strings' }),
      )
      .nullish(),
  },
  { error: 'body must be a JSON object' },
);
const sms = z.object({
  sender: z.string().min(1, 'sender must not be empty'),
  receivedAt: z.iso.datetime({ error: 'receivedAt is required and must be a timestamp' }),
  note: z.string().max(3, 'at most 3 characters for a note').optional(),
});

describe('sentencesOf with schemas that have their own messages', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing at all', {}, ['amount is required', 'idempotencyKey is required and must be a string']],
    ['another type', { amount: true, idempotencyKey: 'a' }, ['amount must be a number']],
    ['null for a required field', { amount: null, idempotencyKey: 'a' }, ['amount must be a number']],
    [
      'a value of no text',
      { amount: 1, idempotencyKey: 'a', metadata: { order: 5 } },
      ['metadata values must be strings'],
    ],
    [
      'a key that is too long',
      { amount: 1, idempotencyKey: 'a', metadata: { ['k'.repeat(41)]: 'v' } },
      ['metadata keys must be at most 40 characters'],
    ],
    ['an array', [], ['body must be a JSON object']],
    [
      'two problems',
      { amount: -1, idempotencyKey: '' },
      ['amount must be more than 0', 'idempotencyKey must not be empty'],
    ],
  ])('%s', (_name, input, expected) => {
    expect(sentences(payment, input)).toEqual(expected);
  });

  it('names the index of an invalid array item', () => {
    const good = { sender: 'bKash', receivedAt: '2026-11-21T10:00:00Z' };
    const messages = [good, { ...good, sender: '' }, { ...good, receivedAt: undefined }, { ...good, note: 'long' }];

    expect(sentences(z.object({ messages: z.array(sms) }), { messages })).toEqual([
      'messages[1].sender must not be empty',
      'messages[2].receivedAt is required and must be a timestamp',
      'messages[3].note: at most 3 characters for a note',
    ]);
  });
});

describe('sentencesOf with schemas without their own messages', () => {
  const schema = z.object({
    name: z.string().min(3),
    count: z.int(),
    kind: z.enum(['A', 'B']),
    only: z.literal('X'),
    id: z.uuid(),
    either: z.union([z.string(), z.number()]),
    tags: z.array(z.string()),
    odd: z.number().refine((value) => value % 2 === 1, 'has to be uneven'),
  });

  it('returns one sentence per problem', () => {
    const input = { name: 'ab', count: 1.5, kind: 'C', only: 'Y', id: 'x', either: true, tags: ['a', 1], odd: 2 };

    expect(sentences(schema, input)).toEqual([
      'name is too small: expected string to have >=3 characters',
      'count must be a whole number',
      'kind must be one of A, B',
      'only must be X',
      'id must be a valid uuid',
      'either is not valid',
      'tags[1] must be a string',
      'odd: has to be uneven',
    ]);
  });

  it('reports every missing field as required', () => {
    expect(sentences(schema, {})).toEqual(Object.keys(schema.shape).map((field) => `${field} is required`));
  });

  it('reports a missing field as required if its name is an inherited property', () => {
    expect(sentences(z.object({ constructor: z.string() }), {})).toEqual(['constructor is required']);
  });

  it('does not treat a field name inside another word as the field name', () => {
    expect(sentences(z.object({ id: z.string().refine(() => false, 'is not valid') }), { id: 'x' })).toEqual([
      'id: is not valid',
    ]);
  });

  it('includes no values and limits the length and the number of names', () => {
    const phone = '01712345678';
    const lists = z.object({ map: z.record(z.string(), z.string()), list: z.array(z.string()) });
    const answers = sentences(lists, {
      list: Array.from({ length: 500 }, () => Number(phone)),
      map: { ['x'.repeat(5_000)]: 1 },
    });

    expect(answers).toHaveLength(100);
    expect(answers.join('')).not.toContain('1712345678');
    expect(Math.max(...answers.map((answer) => answer.length))).toBeLessThan(100);
  });
});
