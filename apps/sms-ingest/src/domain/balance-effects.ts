import type { RecognisedSmsKind } from '@pay/contracts';
import type { Facts } from './parsed-sms';

type Effects = (values: { readonly amount: bigint; readonly fee: bigint; readonly commission: bigint }) => bigint[];

/** A fee reduces the received amount; some texts show a fee that another party has paid. */
const received: Effects = ({ amount, fee }) => [amount - fee, amount];
/** An agent's commission is paid separately in all known texts, or possibly with the amount. */
const receivedByAgent: Effects = ({ amount, fee, commission }) => [amount - fee, amount - fee + commission, amount];
/** The fee is added to the sent amount; some texts show a waived fee. */
const sent: Effects = ({ amount, fee }) => [-amount - fee, -amount];
const sentByAgent: Effects = ({ amount, fee, commission }) => [-amount - fee, -amount - fee + commission, -amount];
const nothing: Effects = () => [0n];
/**
 * Only the balance after the text is certain: refunds have the same wording on both sides, and loans deduct a fee that
 * no text names.
 */
const unknown: Effects = () => [];

/**
 * The possible effects of each kind of text on its balance, the usual one first. Omitted kinds move no money, such as
 * codes and advertising, or repeat an earlier text about the same money.
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

/** Kinds whose second text only confirms success, without a balance: it moves no money. */
const OFTEN_REPEATED: ReadonlySet<RecognisedSmsKind> = new Set([
  'LOAN_RECEIVED',
  'REVERSAL',
  'REFUND',
  'FAILED',
  'BALANCE',
]);

/** The effect of a text on the balance of its wallet. */
export interface BalanceFacts {
  /** Null: it shows no balance, and its effect happened around its time. */
  readonly balance: bigint | null;
  /** Possible effects, the usual one first; empty if unknown. */
  readonly effects: readonly bigint[];
  /** The TrxID that the reserve of a payment and its success share; null for texts of other kinds. */
  readonly pair: string | null;
}

/** Undefined for a text without information about the balance. */
export function balanceFactsOf(
  facts: Pick<Facts, 'kind' | 'direction' | 'amount' | 'fee' | 'commission' | 'balance' | 'providerTime' | 'trxId'>,
): BalanceFacts | undefined {
  const { kind, direction, amount, fee, commission } = facts;
  // A balance without a time cannot be placed in the chain.
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
