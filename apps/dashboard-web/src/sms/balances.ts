import type { DailyBalances } from '@pay/contracts';

export interface BalanceLine {
  readonly receiverAccountId: string;
  readonly receiverMsisdn: string;
  /** One per day, in BDT; null where it is not known. */
  readonly balances: readonly (string | null)[];
}

/** The days, oldest first, and the balances of each account on them, without accounts of which none is known. */
export function balanceLines({ accounts }: Pick<DailyBalances, 'accounts'>): {
  readonly days: readonly string[];
  readonly lines: readonly BalanceLine[];
} {
  return {
    days: accounts[0]?.days.map(({ date }) => date) ?? [],
    lines: accounts
      .map(({ receiverAccountId, receiverMsisdn, days }) => ({
        receiverAccountId,
        receiverMsisdn,
        balances: days.map(({ closingBalance }) => closingBalance),
      }))
      .filter(({ balances }) => balances.some((balance) => balance !== null)),
  };
}
