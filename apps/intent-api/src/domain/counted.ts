import type { IntentSnapshot } from '@pay/contracts';
import type { StoredIntent } from './stored-intent';

export interface CountChange {
  readonly merchantId: string;
  readonly environment: StoredIntent['environment'];
  readonly status: IntentSnapshot['status'];
  readonly paymentMethod: IntentSnapshot['paymentMethod'];
  readonly intents: number;
}

export function countedIn(created: readonly StoredIntent[]): CountChange[] {
  return folded(created.map((stored) => one(stored, 1)));
}

export function countedOver(
  moves: readonly { readonly before: StoredIntent; readonly next: StoredIntent }[],
): CountChange[] {
  return folded(moves.flatMap(({ before, next }) => [one(before, -1), one(next, 1)]));
}

function one(
  { merchantId, environment, intent: { status, paymentMethod } }: StoredIntent,
  intents: number,
): CountChange {
  return { merchantId, environment, status, paymentMethod, intents };
}

function folded(changes: readonly CountChange[]): CountChange[] {
  const byPlace = new Map<string, CountChange>();
  for (const change of changes) {
    const place = `${change.merchantId} ${change.environment} ${change.status} ${change.paymentMethod ?? ''}`;
    const intents = (byPlace.get(place)?.intents ?? 0) + change.intents;
    byPlace.set(place, { ...change, intents });
  }
  return [...byPlace.values()].filter((change) => change.intents !== 0);
}
