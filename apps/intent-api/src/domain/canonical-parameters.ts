import type { CreateIntentRequest } from '@pay/contracts';

/**
 * The parameters of a create request as one text, the same for every way of writing them: aliases and defaults are
 * applied by the schema, amounts are poisha, absent and null are one, keys are sorted. Two requests with one
 * idempotency key are the same request when these texts are equal.
 */
export function canonicalParameters(request: CreateIntentRequest): string {
  const { idempotencyKey: _, ...parameters } = request;
  return JSON.stringify(canonical(parameters));
}

/** The same value with its records as sorted lists of what they hold. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const record = value as Readonly<Record<string, unknown>>;
  const held: [string, unknown][] = [];
  for (const key of Object.keys(record).sort()) {
    const inner = record[key];
    if (inner !== undefined && inner !== null) held.push([key, canonical(inner)]);
  }
  return held;
}
