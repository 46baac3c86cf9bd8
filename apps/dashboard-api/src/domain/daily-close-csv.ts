import type { DailyClose, MoneyWithoutOrder, ReceiverDay } from '@pay/contracts';
import { csvOf, type Cell } from './csv';

type Column = readonly [name: string, cell: (day: ReceiverDay, close: DailyClose) => Cell];

const COLUMNS: readonly Column[] = [
  ['date', (_, { date }) => ({ text: date })],
  ['environment', (_, { environment }) => ({ text: environment })],
  ['receiver_account_id', ({ receiverAccountId }) => ({ text: receiverAccountId })],
  ['payment_method', ({ paymentMethod }) => ({ text: paymentMethod })],
  ['receiver_msisdn', ({ receiverMsisdn }) => ({ text: receiverMsisdn })],
  ['opening_balance', ({ openingBalance }) => ({ number: openingBalance })],
  ['matched_count', ({ matched }) => ({ number: matched.count })],
  ['matched', ({ matched }) => ({ number: matched.amount })],
  ['unmatched_count', ({ unmatched }) => ({ number: unmatched.count })],
  ['unmatched', ({ unmatched }) => ({ number: unmatched.amount })],
  ['other_incoming_count', ({ otherIncoming }) => ({ number: otherIncoming.count })],
  ['other_incoming', ({ otherIncoming }) => ({ number: otherIncoming.amount })],
  ['outgoing_count', ({ outgoing }) => ({ number: outgoing.count })],
  ['outgoing', ({ outgoing }) => ({ number: outgoing.amount })],
  ['fees', ({ fees }) => ({ number: fees })],
  ['commissions', ({ commissions }) => ({ number: commissions })],
  ['adjustments', ({ adjustments }) => ({ number: adjustments })],
  ['closing_balance', ({ closingBalance }) => ({ number: closingBalance })],
  ['expected_balance', ({ expectedBalance }) => ({ number: expectedBalance })],
  ['difference', ({ difference }) => ({ number: difference })],
  ['missing_sms', ({ missing }) => ({ number: missing.length })],
  ['doubtful_count', ({ doubtful }) => ({ number: doubtful.count })],
  ['doubtful', ({ doubtful }) => ({ number: doubtful.amount })],
  ['duplicates', ({ duplicates }) => ({ number: duplicates })],
  ['as_of', (_, { asOf }) => ({ text: asOf })],
];

export function dailyCloseCsv(close: DailyClose): string {
  return csvOf(
    COLUMNS.map(([name]) => name),
    close.accounts.map((day) => COLUMNS.map(([, cell]) => cell(day, close))),
  );
}

const MONEY_COLUMNS: readonly (readonly [
  name: string,
  cell: (money: MoneyWithoutOrder, day: ReceiverDay, close: DailyClose) => Cell,
])[] = [
  ['date', (_, __, { date }) => ({ text: date })],
  ['environment', (_, __, { environment }) => ({ text: environment })],
  ['receiver_account_id', (_, { receiverAccountId }) => ({ text: receiverAccountId })],
  ['payment_method', (_, { paymentMethod }) => ({ text: paymentMethod })],
  ['receiver_msisdn', (_, { receiverMsisdn }) => ({ text: receiverMsisdn })],
  ['at', ({ at }) => ({ text: at })],
  ['amount', ({ amount }) => ({ number: amount })],
  ['trx_id', ({ trxId }) => ({ text: trxId })],
  ['reference', ({ reference }) => ({ text: reference })],
  ['match_status', ({ matchStatus }) => ({ text: matchStatus })],
  ['sms_event_id', ({ smsEventId }) => ({ text: smsEventId })],
  ['as_of', (_, __, { asOf }) => ({ text: asOf })],
];

/** Money without an order, as far as it is listed per account. */
export function moneyWithoutOrderCsv(close: DailyClose): string {
  return csvOf(
    MONEY_COLUMNS.map(([name]) => name),
    close.accounts.flatMap((day) =>
      day.moneyWithoutOrder.map((money) => MONEY_COLUMNS.map(([, cell]) => cell(money, day, close))),
    ),
  );
}
