import { PAYMENT_NOT_FOUND, BusinessError } from '@pay/contracts';
import { FreshCache } from '@pay/runtime';
import type { Checkout, IntentCopy } from '../domain/intent-copy';

/** intent-api is called at most once per id in this time. */
const ASKED_AGAIN_AFTER_MS = 1_000;
const MOST_REMEMBERED = 10_000;

export interface FindCheckoutDeps {
  readonly find: (id: string) => Promise<Checkout | undefined>;
  /** Calls intent-api. Undefined if there is no such intent. */
  readonly ask: (id: string) => Promise<IntentCopy | undefined>;
  /** Stores the response like an event. */
  readonly store: (copy: IntentCopy) => Promise<void>;
  readonly now: () => Date;
}

/**
 * If the event of an intent has not arrived, the copy is fetched from intent-api; concurrent callers share the request.
 * Throws NOT_FOUND for an unknown id.
 */
export function checkoutFinder({ find, ask, store, now }: FindCheckoutDeps): (id: string) => Promise<Checkout> {
  const asked = new FreshCache<IntentCopy>({
    maxAgeMs: ASKED_AGAIN_AFTER_MS,
    maxEntries: MOST_REMEMBERED,
    clock: () => now().getTime(),
  });

  async function fetch(id: string): Promise<IntentCopy | undefined> {
    const copy = await ask(id);
    if (copy !== undefined) await store(copy);
    return copy;
  }

  return async (given) => {
    // UUIDs are case-insensitive, but keys of the cache are not.
    const id = given.toLowerCase();
    const known = await find(id);
    if (known) return known;
    const fetched = await asked.get(id, () => fetch(id));
    if (fetched === undefined) throw new BusinessError('NOT_FOUND', PAYMENT_NOT_FOUND);
    return { copy: fetched, claimOutcomes: [] };
  };
}
