import { PAYMENT_NOT_FOUND, BusinessError } from '@pay/contracts';
import { FreshCache } from '@pay/runtime';
import type { Checkout, IntentCopy } from '../domain/intent-copy';

/** intent-api is asked about an id at most once in this time. */
const ASKED_AGAIN_AFTER_MS = 1_000;
const MOST_REMEMBERED = 10_000;

export interface FindCheckoutDeps {
  readonly find: (id: string) => Promise<Checkout | undefined>;
  /** Asks the owner; undefined when there is no such intent. */
  readonly ask: (id: string) => Promise<IntentCopy | undefined>;
  /** Stores an answer of the owner as if its event had come. */
  readonly store: (copy: IntentCopy) => Promise<void>;
  readonly now: () => Date;
}

/**
 * Finds what is here of an intent; an intent whose event has not arrived is fetched from its owner. Throws NOT_FOUND
 * for an unknown id. However many ask for one id at once, its owner is asked once.
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
    // A UUID is the same in any case; what goes by it here is not.
    const id = given.toLowerCase();
    const known = await find(id);
    if (known) return known;
    const fetched = await asked.get(id, () => fetch(id));
    if (fetched === undefined) throw new BusinessError('NOT_FOUND', PAYMENT_NOT_FOUND);
    return { copy: fetched, claimWaits: false };
  };
}
