import { amountFromWire, type PaymentMethod, type Poisha, type ReceiverAccountFact } from '@pay/contracts';

export type ReceiverChoice =
  | { readonly kind: 'chosen'; readonly account: ReceiverAccountFact }
  /** Several methods are possible, so the customer chooses at checkout. */
  | { readonly kind: 'open' }
  /** No active receiver account of an enabled method. */
  | { readonly kind: 'none' }
  /** Every such account would exceed one of its limits with this amount. */
  | { readonly kind: 'limits_reached' };

/** Amounts per day and month of Asia/Dhaka. */
export interface ReceivedTotals {
  readonly ofDay: Poisha;
  readonly ofMonth: Poisha;
  readonly paymentsOfDay: number;
}

export interface ReceiverState {
  /** Accounts with an online phone. Undefined: ignore the state of phones. */
  readonly online: ReadonlySet<string> | undefined;
  /** By account; accounts that received nothing are missing. */
  readonly totals: ReadonlyMap<string, ReceivedTotals>;
}

export interface ReceiverQuestion {
  /** Undefined if the merchant fixed none. */
  readonly method: PaymentMethod | undefined;
  readonly amount: Poisha;
  readonly enabledMethods: readonly PaymentMethod[];
  readonly accounts: readonly ReceiverAccountFact[];
  readonly receivers: ReceiverState;
  /** Greater values are more recent. Accounts that were never used are missing. */
  readonly lastUsed: ReadonlyMap<string, number>;
}

/**
 * Returns the least recently used active account of the method that is within its limits, preferably one with an online
 * phone.
 */
export function chooseReceiver(question: ReceiverQuestion): ReceiverChoice {
  const { method, amount, enabledMethods, accounts, receivers, lastUsed } = question;
  const usable = accounts.filter(
    (account) =>
      account.isActive &&
      enabledMethods.includes(account.paymentMethod) &&
      (method === undefined || account.paymentMethod === method),
  );
  if (usable.length === 0) return { kind: 'none' };
  const fitting = usable.filter((account) => isWithinLimits(account, amount, receivers.totals.get(account.id)));
  if (new Set(fitting.map((account) => account.paymentMethod)).size > 1) return { kind: 'open' };
  const online = fitting.filter((account) => receivers.online?.has(account.id));
  const account = leastRecentlyUsed(online.length > 0 ? online : fitting, lastUsed);
  return account === undefined ? { kind: 'limits_reached' } : { kind: 'chosen', account };
}

export const NO_TOTALS: ReceivedTotals = { ofDay: 0n as Poisha, ofMonth: 0n as Poisha, paymentsOfDay: 0 };

function isWithinLimits({ limits }: ReceiverAccountFact, amount: Poisha, totals = NO_TOTALS): boolean {
  if (!limits) return true;
  const within = (sum: bigint, limit: string | null) => limit === null || sum + amount <= amountFromWire(limit);
  return (
    within(totals.ofDay, limits.dailyAmount) &&
    within(totals.ofMonth, limits.monthlyAmount) &&
    (limits.dailyCount === null || totals.paymentsOfDay < limits.dailyCount)
  );
}

function leastRecentlyUsed(
  accounts: readonly ReceiverAccountFact[],
  lastUsed: ReadonlyMap<string, number>,
): ReceiverAccountFact | undefined {
  const rank = (account: ReceiverAccountFact) => lastUsed.get(account.id) ?? 0;
  return accounts.reduce<ReceiverAccountFact | undefined>((best, account) => {
    if (best === undefined || rank(account) < rank(best)) return account;
    return rank(account) === rank(best) && account.id < best.id ? account : best;
  }, undefined);
}
