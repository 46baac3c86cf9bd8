import { amountFromWire, type Poisha } from '@pay/contracts';
import { dayInDhaka } from './day';
import type { Move } from './decision-effect';

/** The amount that a receiver account received in one day of Asia/Dhaka, by the provider's time of the payments. */
export interface DailyTotal {
  readonly receiverAccountId: string;
  readonly day: string;
  readonly amount: Poisha;
  readonly payments: number;
}

/**
 * The amounts of these moves by receiver account: the one that received the money, which need not be the one shown
 * last.
 */
export function dailyTotalsOf(moves: readonly Move[]): DailyTotal[] {
  const byPlace = new Map<string, DailyTotal>();
  for (const { next, takenBy, takenAt, decision } of moves) {
    if (takenBy === null || takenAt === null) continue;
    const day = dayInDhaka(takenAt);
    const place = `${takenBy} ${day}`;
    const { amount: before, payments } = byPlace.get(place) ?? { amount: 0n, payments: 0 };
    const amount = (before + amountFromWire(decision.receivedAmount ?? next.intent.amount)) as Poisha;
    byPlace.set(place, { receiverAccountId: takenBy, day, amount, payments: payments + 1 });
  }
  return [...byPlace.values()];
}
