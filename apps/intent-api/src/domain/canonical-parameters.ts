import type { CreateIntentRequest } from '@pay/contracts';

/**
 * The parameters of a create request as one text, the same for every way of writing them: aliases and defaults are applied by the
 * schema, amounts are poisha, absent and null are one, keys are sorted. Two requests with one idempotency key are the same request
 * when these texts are equal.
 */
export function canonicalParameters(request: CreateIntentRequest): string {
  const { idempotencyKey: _, ...parameters } = request;
  return JSON.stringify(sorted(parameters), (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : isRecord(value) ? sorted(value) : value,
  );
}

function sorted(record: object): [string, unknown][] {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
