import {
  normaliseMsisdn,
  providerOf,
  type DeviceFact,
  type PaymentMethod,
  type ReceiverAccountFact,
  type RecognisedSmsKind,
} from '@pay/contracts';
import type { Wallet } from './parsed-sms';

export interface Arrival {
  readonly simSlot: number | null;
  /** The number that the forwarder says the SMS came to. */
  readonly receiverMsisdn: string | null;
  readonly provider: Wallet | null;
  /** The parsed values of the text; null if its kind is unknown. */
  readonly reading: ReadValues | null;
}

export interface ReadValues {
  readonly kind: RecognisedSmsKind;
  /** Null for a text that is no evidence. */
  readonly paymentMethod: PaymentMethod | null;
  readonly reference: string | null;
}

type Account = Pick<ReceiverAccountFact, 'id' | 'paymentMethod' | 'msisdn'>;

/** The account of a text, or why it is unknown. */
export type Receiver<Found extends Account = Account> =
  { readonly account: Found; readonly doubt: null } | { readonly account: null; readonly doubt: ReceiverDoubt };

/**
 * `ambiguous_receiver`: two wallets match. `unknown_receiver`: no wallet is registered. `wrong_account_type`: the
 * registered wallets never receive such texts. `agent_float`: a Send Money text to an agent's wallet reports float of
 * another business.
 */
export type ReceiverDoubt = 'ambiguous_receiver' | 'unknown_receiver' | 'wrong_account_type' | 'agent_float';

/**
 * The receiver account of a text if SIMs, number and kind leave exactly one: a wallet is never guessed. Includes
 * inactive accounts, which can still receive money.
 */
export function resolveReceiver<Found extends Account>(
  device: Pick<DeviceFact, 'sims'>,
  accounts: readonly Found[],
  arrival: Arrival,
): Receiver<Found> {
  const onSim = new Set(
    device.sims
      .filter((sim) => arrival.simSlot === null || sim.simSlot === null || sim.simSlot === arrival.simSlot)
      .flatMap((sim) => sim.receiverAccountIds),
  );
  const there = accounts.filter(
    (account) => onSim.has(account.id) && isOf(arrival.provider, account) && hasNumber(account, arrival.receiverMsisdn),
  );
  if (there.length === 0) return doubt('unknown_receiver');
  const method = arrival.reading?.paymentMethod ?? null;
  return method === null ? ofOtherText(there, arrival.reading?.kind) : ofEvidence(there, method, arrival.reading);
}

function ofEvidence<Found extends Account>(
  there: readonly Found[],
  method: PaymentMethod,
  values: ReadValues | null,
): Receiver<Found> {
  const paid = there.filter((account) => account.paymentMethod === method);
  // bKash reports float to an agent with the text of Send Money, but never with a reference.
  const mayBeFloat =
    method === 'BKASH_SEND_MONEY' &&
    values?.reference === null &&
    there.some((account) => account.paymentMethod === 'BKASH_CASHOUT');
  if (paid.length === 0) return doubt(mayBeFloat ? 'agent_float' : 'wrong_account_type');
  return mayBeFloat ? doubt('ambiguous_receiver') : only(paid);
}

/** The wallet type that receives texts of a kind, if known. */
const WALLET_OF_KIND: Readonly<Partial<Record<RecognisedSmsKind, 'SEND_MONEY' | 'PAYMENT' | 'CASHOUT'>>> = {
  SEND_MONEY_RECEIVED: 'SEND_MONEY',
  PAYMENT_RECEIVED: 'PAYMENT',
  CASH_OUT_RECEIVED: 'CASHOUT',
  CASH_IN_GIVEN: 'CASHOUT',
  B2B_RECEIVED: 'CASHOUT',
  B2B_SENT: 'CASHOUT',
  CASH_IN_RECEIVED: 'SEND_MONEY',
  SEND_MONEY_SENT: 'SEND_MONEY',
  CASH_OUT_SENT: 'SEND_MONEY',
};

/**
 * The wallet whose balance the text contains: the only wallet of a type that gets such texts, otherwise the only
 * wallet.
 */
function ofOtherText<Found extends Account>(
  there: readonly Found[],
  kind: RecognisedSmsKind | undefined,
): Receiver<Found> {
  const type = kind === undefined ? undefined : WALLET_OF_KIND[kind];
  const ofType = there.filter((account) => type !== undefined && account.paymentMethod.endsWith(type));
  return ofType.length > 0 ? only(ofType) : only(there);
}

function only<Found extends Account>(accounts: readonly Found[]): Receiver<Found> {
  const [account, ...others] = accounts;
  return account !== undefined && others.length === 0 ? { account, doubt: null } : doubt('ambiguous_receiver');
}

function doubt(why: ReceiverDoubt): { readonly account: null; readonly doubt: ReceiverDoubt } {
  return { account: null, doubt: why };
}

function isOf(provider: Wallet | null, account: Account): boolean {
  return provider === null || providerOf(account.paymentMethod) === provider;
}

function hasNumber(account: Account, receiverMsisdn: string | null): boolean {
  // Some forwarders write a word such as "Unknown".
  const number = receiverMsisdn === null ? undefined : normaliseMsisdn(receiverMsisdn);
  return number === undefined || number === normaliseMsisdn(account.msisdn);
}
