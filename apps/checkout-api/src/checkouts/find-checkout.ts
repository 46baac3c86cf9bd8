import { PAYMENT_NOT_FOUND, BusinessError } from '@pay/contracts';
import type { Checkout, IntentCopy } from '../domain/intent-copy';
import { onceAtATime } from '@pay/runtime';

/** How long an id that intent-api does not know is not asked about again. */
const UNKNOWN_FOR_MS = 1_000;
const REMEMBERED = 10_000;

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
  const unknownUntil = new Map<string, number>();

  const fetch = onceAtATime(
    (id: string) => id,
    async (id) => {
      const copy = await ask(id);
      if (copy === undefined) remember(id);
      else await store(copy);
      return copy;
    },
  );

  function remember(id: string): void {
    unknownUntil.delete(id);
    unknownUntil.set(id, now().getTime() + UNKNOWN_FOR_MS);
    const [oldest] = unknownUntil.keys();
    if (unknownUntil.size > REMEMBERED && oldest !== undefined) unknownUntil.delete(oldest);
  }

  return async (given) => {
    // A UUID is the same in any case; what goes by it here is not.
    const id = given.toLowerCase();
    const known = await find(id);
    if (known) return known;
    if ((unknownUntil.get(id) ?? 0) > now().getTime()) throw new BusinessError('NOT_FOUND', PAYMENT_NOT_FOUND);
    const fetched = await fetch(id);
    if (fetched === undefined) throw new BusinessError('NOT_FOUND', PAYMENT_NOT_FOUND);
    return { copy: fetched, claimWaits: false };
  };
}
