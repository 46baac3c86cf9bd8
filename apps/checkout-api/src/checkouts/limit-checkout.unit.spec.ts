import { randomUUID } from 'node:crypto';
import { knownNames, openRateLimits } from '@pay/rate-limits';
import { createLogger, createMetrics } from '@pay/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { limitCheckout } from './limit-checkout';

const LIMITS = {
  RATE_LIMIT_VIEWS_PER_MINUTE: 60,
  RATE_LIMIT_ADDRESS_PER_MINUTE: 3_000,
  RATE_LIMIT_METHODS_PER_MINUTE: 30,
  RATE_LIMIT_CONFIRMS_PER_MINUTE: 10,
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: 300,
};
const INVENTED = 60_000;

/** The limits of one replica that has no connection to the others. */
function limitsUnderTest() {
  const known = knownNames(() => 1_000);
  const limits = openRateLimits({
    db: { query: () => Promise.reject(new Error('away')), execute: () => Promise.reject(new Error('away')) },
    ...{ replica: 'one', log: createLogger({ service: 'spec', level: 'silent' }), metrics: createMetrics('spec') },
    clock: () => 1_000,
  });
  const guardsOf = limitCheckout(limits, LIMITS, known);
  const isAllowed = (operation: string, id: string, ip: string): boolean => {
    const request = { params: { id }, ip } as unknown as Request;
    return guardsOf({ id: operation }).every((guard) => passes(guard, request));
  };
  return { known, isAllowed };
}

function passes(guard: RequestHandler, request: Request): boolean {
  let isNext = false;
  const nothing = () => undefined;
  const response = { getHeader: nothing, setHeader: nothing, once: nothing, end: nothing } as unknown as Response;
  void guard(request, response, () => (isNext = true));
  return isNext;
}

const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

describe('the limits of one intent', () => {
  it.each([
    ['getCheckout', 60],
    ['chooseMethod', 30],
    ['confirmCheckout', 10],
  ])('of %s still apply after 60,000 requests for invented intents', (operation, limit) => {
    const { known, isAllowed } = limitsUnderTest();
    const intent = randomUUID();
    // A view also counts for its address; the other two count for the intent from any address.
    const from = (number: number) => (operation === 'getCheckout' ? '203.0.113.7' : addressOf(number));
    known.note(intent);
    for (let number = 0; number < limit; number += 1) isAllowed(operation, intent, from(number));
    expect(isAllowed(operation, intent, from(limit))).toBe(false);

    for (let number = 0; number < INVENTED; number += 1) isAllowed(operation, randomUUID(), addressOf(1_000 + number));

    expect(isAllowed(operation, intent, from(limit + 1))).toBe(false);
  });

  it('count an unknown intent, in any spelling of its id', () => {
    const { known, isAllowed } = limitsUnderTest();
    const intent = randomUUID();
    for (let number = 0; number < 10; number += 1)
      isAllowed('confirmCheckout', intent.toUpperCase(), addressOf(number));

    expect(isAllowed('confirmCheckout', intent, addressOf(99))).toBe(false);
    known.note(intent);
    expect(isAllowed('confirmCheckout', intent.toUpperCase(), addressOf(99))).toBe(false);
  });
});
