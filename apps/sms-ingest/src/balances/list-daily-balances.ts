import { DAY_MS, formatAmount, type DailyBalances, type InternalDailyBalancesQuery } from '@pay/contracts';
import { closingBalance, type EndText } from '../domain/daily-close';
import { balanceChainId } from './balance-chain-id';
import type { CloseDaysDeps } from './close-days';
import { textsAround } from './daily-balance-repository';

/**
 * The closing balances of the days up to a day, for each receiver account or one of them, from the texts received so
 * far.
 */
export async function listDailyBalances(
  { db, directory, now }: CloseDaysDeps,
  { merchantId, environment, until, days, receiverAccountId }: InternalDailyBalancesQuery,
): Promise<DailyBalances> {
  const asOf = now().toISOString();
  const last = Date.parse(`${until}T00:00:00Z`);
  const dates = Array.from({ length: days }, (_, at) =>
    new Date(last - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  // Bangladesh has had no summer time since 2009.
  const ends = dates.map((date) => new Date(Date.parse(`${date}T00:00:00+06:00`) + DAY_MS));
  const accounts = (await directory.receiverAccounts({ merchantId, environment }))
    .filter(({ id }) => receiverAccountId === undefined || id === receiverAccountId)
    .map((account) => ({ account, chainId: balanceChainId(account) }));
  // One wallet at a time: 31 days of one are up to 3,720 texts.
  const texts = new Map<string, readonly (readonly EndText[])[]>();
  for (const chainId of new Set(accounts.map((each) => each.chainId))) {
    texts.set(chainId, await textsAround(db, chainId, ends));
  }
  return {
    environment,
    asOf,
    accounts: accounts.map(({ account, chainId }) => ({
      receiverAccountId: account.id,
      paymentMethod: account.paymentMethod,
      receiverMsisdn: account.msisdn,
      days: dates.map((date, at) => {
        const balance = closingBalance(texts.get(chainId)?.[at] ?? [], (ends[at] as Date).getTime());
        return { date, closingBalance: balance === null ? null : formatAmount(balance) };
      }),
    })),
  };
}
