import type { RecognisedSmsKind } from '@pay/contracts';
import type { Facts } from './parsed-sms';

type Effects = (values: { readonly amount: bigint; readonly fee: bigint; readonly commission: bigint }) => bigint[];

/** A fee reduces the received amount; some texts show a fee that another party has paid. */
const received: Effects = ({ amount, fee }) => [amount - fee, amount];
/** An agent's commission is paid apart, as far as texts are known, or with the money. */
const receivedByAgent: Effects = ({ amount, fee, commission }) => [amount - fee, amount - fee + commission, amount];
/** The fee comes on top of what was sent; some texts show one that was waived. */
const sent: Effects = ({ amount, fee }) => [-amount - fee, -amount];
const sentByAgent: Effects = ({ amount, fee, commission }) => [-amount - fee, -amount - fee + commission, -amount];
const nothing: Effects = () => [0n];
/**
 * The balance is certain, what it was before is not: refunds are worded alike on both sides, and loans lose a fee that
 * no text names.
 */
const unknown: Effects = () => [];

/**
 * What a text of each kind may have done to the balance that it shows, the usual first. Kinds that are absent move no
 * money of the wallet (codes, advertising), or are the second word about money that an earlier text has moved.
 */
const EFFECTS: Readonly<Partial<Record<RecognisedSmsKind, Effects>>> = {
  SEND_MONEY_RECEIVED: received,
  PAYMENT_RECEIVED: received,
  CASH_OUT_RECEIVED: receivedByAgent,
  CASH_IN_RECEIVED: received,
  B2B_RECEIVED: received,
  INTERBANK_RECEIVED: received,
  DISBURSEMENT_RECEIVED: received,
  COMMISSION_RECEIVED: received,
  CASHBACK_RECEIVED: received,
  INTEREST_RECEIVED: received,
  ADD_MONEY: received,
  LOAN_RECEIVED: unknown,
  REMITTANCE_RECEIVED: received,
  REFUND_RECEIVED: received,
  RESERVE_RELEASED: received,
  MONEY_RETURNED: received,
  SEND_MONEY_SENT: sent,
  // The text of a success after a reserve shows the balance that the reserve has left, unchanged.
  PAYMENT_SENT: (values) => [...sent(values), 0n],
  PAYMENT_RESERVED: sent,
  CASH_OUT_SENT: sent,
  CASH_IN_GIVEN: sentByAgent,
  B2B_SENT: sentByAgent,
  BANK_TRANSFER_SENT: sent,
  SAVINGS_PAID: sent,
  LOAN_REPAID: sent,
  RECHARGE: sent,
  BILL_PAID: sent,
  REVERSAL: unknown,
  REFUND: unknown,
  CANCELLED: received,
  FAILED: nothing,
  BALANCE: nothing,
};

/** Kinds whose second text only says that all went well, without a balance: nothing moves then. */
const OFTEN_REPEATED: ReadonlySet<RecognisedSmsKind> = new Set([
  'LOAN_RECEIVED',
  'REVERSAL',
  'REFUND',
  'FAILED',
  'BALANCE',
]);

/** What a text says about the balance of its wallet. */
export interface BalanceFacts {
  /** Null: it shows none, and what it did happened somewhere around its time. */
  readonly balance: bigint | null;
  /** Possible effects, the usual one first; empty if unknown. */
  readonly effects: readonly bigint[];
  /** The TrxID that the reserve of a payment and its success share; null for texts of other kinds. */
  readonly pair: string | null;
}

/** Undefined for a text that says nothing about the balance. */
export function balanceFactsOf(
  facts: Pick<Facts, 'kind' | 'direction' | 'amount' | 'fee' | 'commission' | 'balance' | 'providerTime' | 'trxId'>,
): BalanceFacts | undefined {
  const { kind, direction, amount, fee, commission } = facts;
  // Without a time its balance has no place among the others.
  const balance = facts.providerTime === null ? null : facts.balance;
  const effectsOf = EFFECTS[kind];
  if (effectsOf === undefined) return undefined;
  const isOnlyWord = direction !== 'NONE' || kind === 'CANCELLED';
  if (balance === null && (amount === null || !isOnlyWord || OFTEN_REPEATED.has(kind))) return undefined;
  const pair = kind === 'PAYMENT_SENT' || kind === 'PAYMENT_RESERVED' ? facts.trxId : null;
  if (amount === null && effectsOf !== nothing) return { balance, effects: [], pair };
  const values = { amount: amount ?? 0n, fee: fee ?? 0n, commission: commission ?? 0n };
  return { balance, effects: [...new Set(effectsOf(values))], pair };
}
