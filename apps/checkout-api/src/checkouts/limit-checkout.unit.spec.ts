import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
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
jest.setTimeout(120_000);
const log = createLogger({ service: 'spec', level: 'silent' });

function limitsUnderTest() {
  const known = knownNames(() => 1_000);
  const limits = openRateLimits({
    db: { query: () => Promise.reject(new Error('away')), execute: () => Promise.reject(new Error('away')) },
    replica: 'one',
    log,
    metrics: createMetrics('spec'),
    clock: () => 1_000,
  });
  const stored = new Set<string>();
  const guardsOf = limitCheckout(limits, LIMITS, {
    has: known.has,
    find(id) {
      if (stored.has(id)) known.note(id);
      return Promise.resolve(stored.has(id));
    },
  });
  const isAllowed = async (operation: string, id: string, ip: string, status = 200): Promise<boolean> => {
    const request = { params: { id }, ip } as unknown as Request;
    const response = Object.assign(new EventEmitter(), {
      getHeader: () => undefined,
      setHeader: () => undefined,
      end: () => undefined,
      statusCode: status,
    });
    for (const guard of guardsOf({ id: operation })) {
      if (!(await passes(guard, request, response as unknown as Response))) return false;
    }
    // Express clears the parameters when an error leaves the route.
    request.params = {};
    response.emit('close');
    return true;
  };
  return { known, stored, isAllowed };
}

async function passes(guard: RequestHandler, request: Request, response: Response): Promise<boolean> {
  let isNext = false;
  await guard(request, response, () => (isNext = true));
  return isNext;
}

const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

describe('the limits of one intent', () => {
  it.each([
    ['getCheckout', 60],
    ['chooseMethod', 30],
    ['confirmCheckout', 10],
  ])('of %s still apply after 60,000 requests for invented intents', async (operation, limit) => {
    const { known, isAllowed } = limitsUnderTest();
    const intent = randomUUID();
    // A view also counts for its address; the other two count for the intent from any address.
    const from = (number: number) => (operation === 'getCheckout' ? '203.0.113.7' : addressOf(number));
    known.note(intent);
    for (let number = 0; number < limit; number += 1) await isAllowed(operation, intent, from(number));
    expect(await isAllowed(operation, intent, from(limit))).toBe(false);

    for (let number = 0; number < INVENTED; number += 1)
      await isAllowed(operation, randomUUID(), addressOf(1_000 + number));

    expect(await isAllowed(operation, intent, from(limit + 1))).toBe(false);
  });

  it('count an unknown intent, in any spelling of its id', async () => {
    const { known, isAllowed } = limitsUnderTest();
    const intent = randomUUID();
    for (let number = 0; number < 10; number += 1)
      await isAllowed('confirmCheckout', intent.toUpperCase(), addressOf(number));

    expect(await isAllowed('confirmCheckout', intent, addressOf(99))).toBe(false);
    known.note(intent);
    expect(await isAllowed('confirmCheckout', intent.toUpperCase(), addressOf(99))).toBe(false);
  });
});

describe('the limits of confirms from one address', () => {
  const ADDRESS = '203.0.113.7';
  const FAR_MORE = 2 * LIMITS.RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE;

  it('refuse invented intents, and no intent that is stored', async () => {
    const { stored, isAllowed } = limitsUnderTest();
    const intent = randomUUID();
    stored.add(intent);
    const results: boolean[] = [];
    for (let number = 0; number < FAR_MORE; number += 1)
      results.push(await isAllowed('confirmCheckout', randomUUID(), ADDRESS, 404));

    expect(results).toContain(false);
    expect(await isAllowed('confirmCheckout', intent, ADDRESS)).toBe(true);
  });

  it('do not count an intent that is found during its request', async () => {
    const { known, isAllowed } = limitsUnderTest();
    for (let number = 0; number < FAR_MORE; number += 1) {
      const intent = randomUUID();
      const result = isAllowed('confirmCheckout', intent, ADDRESS);
      known.note(intent);
      expect(await result).toBe(true);
    }
  });

  it('do not count malformed input as a confirm of an invented intent', async () => {
    const { isAllowed } = limitsUnderTest();
    for (let number = 0; number < FAR_MORE; number += 1)
      expect(await isAllowed('confirmCheckout', randomUUID(), ADDRESS, 400)).toBe(true);
  });

  it.each([400, 404, 413, 415, 500, 503])('do not count responses %s about stored intents', async (status) => {
    const { stored, isAllowed } = limitsUnderTest();
    for (let number = 0; number < FAR_MORE; number += 1) {
      const intent = randomUUID();
      stored.add(intent);
      // The third one is beyond what an intent may use without its address.
      for (let confirm = 0; confirm < 3; confirm += 1)
        expect(await isAllowed('confirmCheckout', intent, ADDRESS, status)).toBe(true);
    }
  });

  it('refuse further guesses of many intents, and never the first two confirms of an intent', async () => {
    const { stored, isAllowed } = limitsUnderTest();
    const later: boolean[] = [];
    for (let number = 0; number < FAR_MORE; number += 1) {
      const intent = randomUUID();
      stored.add(intent);
      for (let confirm = 0; confirm < 2; confirm += 1)
        expect(await isAllowed('confirmCheckout', intent, ADDRESS)).toBe(true);
      for (let guess = 0; guess < 2; guess += 1) later.push(await isAllowed('confirmCheckout', intent, ADDRESS));
    }

    expect(later.filter(Boolean).length).toBeLessThanOrEqual(LIMITS.RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE);
    expect(later.filter(Boolean).length).toBeGreaterThan(0);
  });
});
