import { METHOD_TEXTS, minuteInDhaka, providerOf, type PaymentMethod, type Provider } from '@pay/contracts';

/** A payment as a provider would report it by SMS. */
export interface ComposedPayment {
  readonly paymentMethod: PaymentMethod;
  /** Poisha, as all amounts here. */
  readonly amount: bigint;
  /** Of bKash texts, and the commission of a NAGAD_CASHOUT. */
  readonly fee: bigint;
  /** Of the wallet, after the payment. */
  readonly balance: bigint;
  /** Full number of the payer. Example: "01712345678". */
  readonly payer: string;
  /** Null: the payer entered none. */
  readonly reference: string | null;
  readonly trxId: string;
  readonly at: Date;
}

/** The text that the provider of the payment's method sends to the receiving wallet. */
export function composeSms(payment: ComposedPayment): string {
  const { paymentMethod, reference } = payment;
  const carried = METHOD_TEXTS[paymentMethod].carriesReference ? reference : null;
  return WORDINGS[paymentMethod]({ ...payment, reference: carried });
}

/** The default fee in a text of the method: agents of Nagad get 0.41 %. */
export function usualFee(paymentMethod: PaymentMethod, amount: bigint): bigint {
  return paymentMethod === 'NAGAD_CASHOUT' ? (amount * 41n + 5_000n) / 10_000n : 0n;
}

/** The amount that the payment adds to the balance: bKash deducts the fee, a commission is paid separately. */
export function changeOfBalance({
  paymentMethod,
  amount,
  fee,
}: Pick<ComposedPayment, 'paymentMethod' | 'amount' | 'fee'>): bigint {
  return FEE_REDUCES_BALANCE[providerOf(paymentMethod)] && fee < amount ? amount - fee : amount;
}

const FEE_REDUCES_BALANCE: Readonly<Record<Provider, boolean>> = { BKASH: true, NAGAD: false };

const WORDINGS: Readonly<Record<PaymentMethod, (payment: ComposedPayment) => string>> = {
  // "You have received Tk 1,250.50 from 01712345678. Ref TEA-77. Fee Tk 0.00. Balance Tk 84,210.75. TrxID DKL4TEA001 at
  // 21/11/2026 19:00"
  BKASH_SEND_MONEY: (payment) =>
    `You have received Tk ${withCommas(payment.amount)} from ${payment.payer}.${bkashReference(payment)} ${bkashTail(payment)}`,
  // "You have received payment Tk 549.00 from 0171XXXX678. Ref TEA-77. Fee Tk 0.00. Balance ..."
  BKASH_PAYMENT: (payment) =>
    `You have received payment Tk ${withCommas(payment.amount)} from ${masked(payment.payer)}.${bkashReference(payment)} ${bkashTail(payment)}`,
  // "Cash Out Tk 785.00 from 01712345678 successful. Fee Tk 0.00. Balance ..."
  BKASH_CASHOUT: (payment) =>
    `Cash Out Tk ${withCommas(payment.amount)} from ${payment.payer} successful. ${bkashTail(payment)}`,
  NAGAD_SEND_MONEY: (payment) =>
    lines('Money Received.', payment, `Sender: ${payment.payer}`, `Ref: ${payment.reference ?? 'N/A'}`),
  NAGAD_PAYMENT: (payment) => lines('Payment Received.', payment, `Customer: ${payment.payer}`),
  NAGAD_CASHOUT: (payment) => lines('Cash Out Received.', payment, `Customer: ${payment.payer}`),
};

function bkashReference({ reference }: ComposedPayment): string {
  return reference === null ? '' : ` Ref ${reference}.`;
}

function bkashTail({ fee, balance, trxId, at }: ComposedPayment): string {
  return `Fee Tk ${withCommas(fee)}. Balance Tk ${withCommas(balance)}. TrxID ${trxId} at ${minuteInDhaka(at)}`;
}

function lines(title: string, payment: ComposedPayment, ...people: readonly string[]): string {
  return [
    ...[title, `Amount: Tk ${twoDecimals(payment.amount)}`, ...people, `TxnID: ${payment.trxId}`],
    ...(payment.paymentMethod === 'NAGAD_CASHOUT' ? [`Comm: Tk ${twoDecimals(payment.fee)}`] : []),
    `Balance: Tk ${twoDecimals(payment.balance)}`,
    minuteInDhaka(payment.at),
  ].join('\n');
}

/** First four and last three digits. Example: "0171XXXX678". */
function masked(msisdn: string): string {
  return `${msisdn.slice(0, 4)}XXXX${msisdn.slice(-3)}`;
}

function twoDecimals(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
}

function withCommas(amount: bigint): string {
  return twoDecimals(amount).replace(/\B(?=(?:\d{3})+\.)/g, ',');
}
