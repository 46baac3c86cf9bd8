import { amountFromWire, type Poisha } from '@pay/contracts';
import { dayInDhaka } from './day';
import type { Move } from './decision-effect';

/** The day is that of the provider's time in Asia/Dhaka. */
export interface DailyTotal {
  readonly receiverAccountId: string;
  readonly day: string;
  readonly amount: Poisha;
  readonly payments: number;
}

/** Counts the account that received the money, which may differ from the one shown last. */
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
