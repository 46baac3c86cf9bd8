import {
  DAY_MS,
  formatAmount,
  MOST_MONEY_WITHOUT_ORDER,
  type DailyClose,
  type InternalDailyCloseQuery,
  type ReceiverAccountFact,
  type ReceiverDay,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { balanceChainId } from './balance-chain-id';
import { openGapsOfDay, textsOfDay, type OpenGap, type ShownDayText } from './wallet-day-repository';
import { closeDay, type Sum } from '../domain/daily-close';

export interface CloseDaysDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'receiverAccounts'>;
  readonly now: () => Date;
}

/** Closes a day of Asia/Dhaka for each receiver account, or one of them, from the texts received so far. */
export async function closeDays(
  { db, directory, now }: CloseDaysDeps,
  { merchantId, environment, date, receiverAccountId }: InternalDailyCloseQuery,
): Promise<DailyClose> {
  const asOf = now();
  // Bangladesh has had no summer time since 2009.
  const from = new Date(`${date}T00:00:00+06:00`);
  const day = { from, to: new Date(from.getTime() + DAY_MS) };
  const all = await directory.receiverAccounts({ merchantId, environment });
  const accounts = all
    .filter(({ id }) => receiverAccountId === undefined || id === receiverAccountId)
    .map((account) => ({ account, chainId: balanceChainId(account) }));
  const chainIds = [...new Set(accounts.map(({ chainId }) => chainId))];
  const [texts, gaps] = await Promise.all([textsOfDay(db, chainIds, day), openGapsOfDay(db, chainIds, day)]);
  return {
    environment,
    date,
    from: day.from.toISOString(),
    to: day.to.toISOString(),
    asOf: asOf.toISOString(),
    isOver: asOf >= day.to,
    accounts: accounts.map(({ account, chainId }) =>
      receiverDay(
        account,
        texts.get(chainId) ?? [],
        gaps.filter((gap) => gap.chainId === chainId),
        day,
      ),
    ),
  };
}

function receiverDay(
  { id, paymentMethod, msisdn }: ReceiverAccountFact,
  texts: readonly ShownDayText[],
  gaps: readonly OpenGap[],
  { from, to }: { readonly from: Date; readonly to: Date },
): ReceiverDay {
  const day = closeDay(texts, { from: from.getTime(), to: to.getTime() });
  return {
    receiverAccountId: id,
    paymentMethod,
    receiverMsisdn: msisdn,
    texts: day.texts,
    openingBalance: balanceText(day.opening),
    matched: sumText(day.matched),
    unmatched: sumText(day.unmatched),
    otherIncoming: sumText(day.otherIncoming),
    outgoing: sumText(day.outgoing),
    fees: signed(day.fees),
    commissions: signed(day.commissions),
    adjustments: signed(day.adjustments),
    closingBalance: balanceText(day.closing),
    expectedBalance: balanceText(day.expected),
    difference: balanceText(day.difference),
    doubtful: sumText(day.doubtful),
    duplicates: day.duplicates,
    missing: gaps.map((gap) => ({
      direction: gap.direction,
      amount: formatAmount(gap.amount),
      from: gap.from.toISOString(),
      to: gap.to.toISOString(),
    })),
    moneyWithoutOrder: day.withoutOrder.slice(0, MOST_MONEY_WITHOUT_ORDER).map((text) => ({
      smsEventId: text.id,
      at: new Date(text.at).toISOString(),
      amount: formatAmount(text.amount ?? 0n),
      trxId: text.trxId,
      reference: text.reference,
      matchStatus: text.matchStatus,
    })),
  };
}

function balanceText(amount: bigint | null): string | null {
  return amount === null ? null : signed(amount);
}

function sumText({ count, amount }: Sum): { count: number; amount: string } {
  return { count, amount: signed(amount) };
}

function signed(amount: bigint): string {
  return amount < 0n ? `-${formatAmount(-amount)}` : formatAmount(amount);
}
