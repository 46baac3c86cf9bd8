import type { DayOfPayments, PaymentStatistics } from '@pay/contracts';
import { compareDays, paidByHour, rowsByMethod, sumOfAmounts } from './compare-days';

const hour = (at: number, paymentMethod: DayOfPayments['hours'][number]['paymentMethod'], paid: number) => ({
  hour: at,
  paymentMethod,
  paid,
  intents: paid + 1,
});
const today: DayOfPayments = {
  date: '2026-11-23',
  hours: [hour(8, 'BKASH_PAYMENT', 2), hour(8, 'NAGAD_PAYMENT', 1), hour(9, 'BKASH_PAYMENT', 4)],
  received: [{ paymentMethod: 'BKASH_PAYMENT', amount: '1200.50', payments: 6 }],
};
const weekBefore: DayOfPayments = {
  date: '2026-11-16',
  hours: [hour(8, 'BKASH_PAYMENT', 5), hour(9, 'BKASH_PAYMENT', 7), hour(20, 'BKASH_PAYMENT', 9)],
  received: [{ paymentMethod: 'NAGAD_CASHOUT', amount: '10', payments: 1 }],
};
/** 09:30 in Dhaka. */
const statistics: PaymentStatistics = { asOf: '2026-11-23T03:30:00.000Z', today, weekBefore, intents: {} };

it('adds the methods of each hour, or shows one method', () => {
  expect(paidByHour(today).slice(7, 11)).toEqual([0, 3, 4, 0]);
  expect(paidByHour(today, 'NAGAD_PAYMENT').slice(7, 11)).toEqual([0, 1, 0, 0]);
  expect(paidByHour(today)).toHaveLength(24);
});

it('compares both days in the hours that are over, so that a running hour is no decline', () => {
  expect(compareDays(statistics)).toEqual({
    paidToday: 7,
    hoursOver: 9,
    todayInThose: 3,
    weekBeforeInThose: 5,
  });
});

it('begins a day at midnight of Dhaka', () => {
  expect(compareDays({ ...statistics, asOf: '2026-11-22T18:00:00.000Z' }).hoursOver).toBe(0);
  expect(compareDays({ ...statistics, asOf: '2026-11-23T17:59:59.000Z' }).hoursOver).toBe(23);
});

it('has a row for each method with orders or money on one of the days', () => {
  expect(rowsByMethod(statistics, ['BKASH_PAYMENT', 'NAGAD_CASHOUT', 'NAGAD_SEND_MONEY'])).toEqual([
    {
      paymentMethod: 'BKASH_PAYMENT',
      orders: 8,
      paid: 6,
      receivedToday: '1200.50',
      receivedWeekBefore: '0',
    },
    { paymentMethod: 'NAGAD_CASHOUT', orders: 0, paid: 0, receivedToday: '0', receivedWeekBefore: '10' },
  ]);
});

it('adds amounts exactly', () => {
  expect(sumOfAmounts(['0.1', '0.2', '9999999.99'])).toBe('10000000.29');
  expect(sumOfAmounts([])).toBe('0');
});
