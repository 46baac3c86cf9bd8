import type { DailyClose } from '@pay/contracts';

export interface BalanceLine {
  readonly receiverAccountId: string;
  readonly receiverMsisdn: string;
  /** One per day, in BDT; null where it is not known. */
  readonly balances: readonly (string | null)[];
}

/** The days before a day and the day itself, oldest first. Example: ("2026-11-02", 3) is 31 October to 2 November. */
export function daysUntil(day: string, count: number): string[] {
  const last = Date.parse(`${day}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) =>
    new Date(last - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** The closing balance of each account on each day; accounts without any known balance are left out. */
export function balanceLines(days: readonly string[], closes: readonly (DailyClose | undefined)[]): BalanceLine[] {
  const byDay = new Map(closes.flatMap((close) => (close === undefined ? [] : [[close.date, close] as const])));
  const accounts = new Map(
    closes.flatMap((close) =>
      (close?.accounts ?? []).map((day) => [day.receiverAccountId, day.receiverMsisdn] as const),
    ),
  );
  return [...accounts]
    .map(([receiverAccountId, receiverMsisdn]) => ({
      ...{ receiverAccountId, receiverMsisdn },
      balances: days.map(
        (day) =>
          byDay.get(day)?.accounts.find((account) => account.receiverAccountId === receiverAccountId)?.closingBalance ??
          null,
      ),
    }))
    .filter(({ balances }) => balances.some((balance) => balance !== null));
}
