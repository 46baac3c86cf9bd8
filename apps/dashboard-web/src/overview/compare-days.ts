import {
  amountFromWire,
  formatAmount,
  inDhaka,
  type DayOfPayments,
  type PaymentMethod,
  type PaymentStatistics,
} from '@pay/contracts';

export const HOURS_OF_DAY = 24;

/** Paid intents of each of the 24 hours, of one method or of all. */
export function paidByHour({ hours }: DayOfPayments, method?: PaymentMethod): number[] {
  const paid = new Array<number>(HOURS_OF_DAY).fill(0);
  for (const { hour, paymentMethod, paid: count } of hours) {
    if (method === undefined || method === paymentMethod) paid[hour] = (paid[hour] ?? 0) + count;
  }
  return paid;
}

export interface Comparison {
  readonly paidToday: number;
  /** Hours of today that are over; both days are compared in these only. */
  readonly hoursOver: number;
  readonly todayInThose: number;
  readonly weekBeforeInThose: number;
}

export function compareDays({ asOf, today, weekBefore }: PaymentStatistics): Comparison {
  const hoursOver = inDhaka(new Date(asOf)).getUTCHours();
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const [now, before] = [paidByHour(today), paidByHour(weekBefore)];
  return {
    paidToday: sum(now),
    hoursOver,
    todayInThose: sum(now.slice(0, hoursOver)),
    weekBeforeInThose: sum(before.slice(0, hoursOver)),
  };
}

export interface MethodRow {
  readonly paymentMethod: PaymentMethod;
  readonly orders: number;
  readonly paid: number;
  readonly receivedToday: string;
  readonly receivedWeekBefore: string;
}

/** One row per method that has orders or received money on one of the days. */
export function rowsByMethod({ today, weekBefore }: PaymentStatistics, methods: readonly PaymentMethod[]): MethodRow[] {
  const receivedOf = (day: DayOfPayments, method: PaymentMethod) =>
    day.received.find(({ paymentMethod }) => paymentMethod === method)?.amount ?? '0';
  const isUsed = (day: DayOfPayments, method: PaymentMethod) =>
    [...day.hours, ...day.received].some(({ paymentMethod }) => paymentMethod === method);
  return methods
    .filter((method) => isUsed(today, method) || isUsed(weekBefore, method))
    .map((paymentMethod) => {
      const own = today.hours.filter((each) => each.paymentMethod === paymentMethod);
      return {
        paymentMethod,
        orders: own.reduce((total, { intents }) => total + intents, 0),
        paid: own.reduce((total, { paid }) => total + paid, 0),
        receivedToday: receivedOf(today, paymentMethod),
        receivedWeekBefore: receivedOf(weekBefore, paymentMethod),
      };
    });
}

export function sumOfAmounts(amounts: readonly string[]): string {
  return formatAmount(amounts.reduce((total, amount) => total + amountFromWire(amount), 0n));
}
