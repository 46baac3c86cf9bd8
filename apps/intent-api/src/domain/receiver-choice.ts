import type { PaymentMethod, ReceiverAccountFact } from '@pay/contracts';

export type ReceiverChoice =
  | { readonly kind: 'chosen'; readonly account: ReceiverAccountFact }
  /** Several methods could be used: the customer chooses at checkout. */
  | { readonly kind: 'open' }
  /** No active receiver account of an enabled method. */
  | { readonly kind: 'none' };

export interface ReceiverQuestion {
  /** The method that the merchant named, if any. */
  readonly method: PaymentMethod | undefined;
  readonly enabledMethods: readonly PaymentMethod[];
  readonly accounts: readonly ReceiverAccountFact[];
  /** When an account was used last, as a count that grows; accounts that were never used are missing. */
  readonly lastUsed: ReadonlyMap<string, number>;
}

/** The least recently used active receiver account of the named method, or of the only method there is. */
export function chooseReceiver({ method, enabledMethods, accounts, lastUsed }: ReceiverQuestion): ReceiverChoice {
  const usable = accounts.filter(
    (account) =>
      account.isActive &&
      enabledMethods.includes(account.paymentMethod) &&
      (method === undefined || account.paymentMethod === method),
  );
  if (new Set(usable.map((account) => account.paymentMethod)).size > 1) return { kind: 'open' };
  const account = leastRecentlyUsed(usable, lastUsed);
  return account === undefined ? { kind: 'none' } : { kind: 'chosen', account };
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
