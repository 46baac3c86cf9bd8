import {
  composedSmsSchema,
  rawSmsSchema,
  type Environment,
  type InternalSimulation,
  BusinessError,
} from '@pay/contracts';
import { sentencesOf, ValidationError } from '@pay/http';
import type { z } from 'zod';

/** Accepts fields to compose a text from, or a text. LIVE gets 403. */
export function readSimulation(body: Readonly<Record<string, unknown>>): InternalSimulation {
  if (Object.hasOwn(body, 'message')) {
    const { environment, ...raw } = checked(rawSmsSchema, body);
    assertSandbox(environment);
    return { raw };
  }
  const { environment, ...composed } = checked(composedSmsSchema, body);
  assertSandbox(environment);
  return { composed };
}

export function assertSandbox(environment: Environment): void {
  if (environment !== 'SANDBOX') throw new BusinessError('FORBIDDEN', 'This operation exists in SANDBOX only.');
}

/** Throws a ValidationError with one sentence per problem. */
export function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ValidationError(sentencesOf(result.error.issues, input));
}
