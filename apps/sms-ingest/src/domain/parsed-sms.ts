import type {
  PaymentMethod,
  Poisha,
  Provider,
  RecognisedSmsKind,
  SmsDirection,
  SmsKind,
  SmsSignal,
} from '@pay/contracts';

/** Goes into every event. A change of what a parser reads or refuses is a new version. */
export const PARSER_VERSION = '6';

/** Whose texts are recognised. Only a Provider's ever confirm a payment. */
export const WALLETS = ['BKASH', 'NAGAD', 'ROCKET', 'UPAY'] as const;
export type Wallet = (typeof WALLETS)[number];

export function isCollected(wallet: Wallet | null): wallet is Provider {
  return wallet === 'BKASH' || wallet === 'NAGAD';
}

/** Why a text is no evidence. A closed set: it is a metric label, and what the dashboard explains. */
export const UNPARSED_REASONS = [
  'untrusted_sender',
  'text_too_long',
  'unsupported_format',
  'ambiguous_text',
  'impossible_time',
  'not_collected',
  'parser_error',
] as const;
export type UnparsedReason = (typeof UNPARSED_REASONS)[number];

/** What a text says; null where it does not say it. */
export interface Facts {
  readonly kind: RecognisedSmsKind;
  /** What it did to the balance of the wallet that the text came to. */
  readonly direction: SmsDirection;
  readonly amount: Poisha | null;
  readonly fee: Poisha | null;
  readonly commission: Poisha | null;
  readonly balance: Poisha | null;
  readonly trxId: string | null;
  readonly reference: string | null;
  /** Who the money came from, as written: providers have begun to mask it (0178XXXX694). */
  readonly senderMsisdn: string | null;
  /** Who it went to. */
  readonly recipientMsisdn: string | null;
  readonly providerTime: Date | null;
}

/** Facts of money that came in and can be collected. */
export interface Money extends Facts {
  readonly kind: Exclude<SmsKind, 'OTHER'>;
  readonly direction: 'IN';
  readonly paymentMethod: PaymentMethod;
  readonly amount: Poisha;
  readonly trxId: string;
  readonly senderMsisdn: string;
  readonly providerTime: Date;
}

export interface Parsed extends Money {
  readonly status: 'PARSED';
  readonly provider: Provider;
  readonly signals: readonly SmsSignal[];
}

export interface Unparsed {
  readonly status: 'UNPARSED';
  readonly provider: Wallet | null;
  readonly reason: UnparsedReason;
  /** Null if the kind of the text is unknown. */
  readonly facts: Facts | null;
  readonly signals: readonly SmsSignal[];
}

/** What one provider's parser makes of a folded text. */
export type Reading = Evidence | Refusal;

export interface Evidence {
  readonly money: Money;
  /** What the provider wrote: the text from its title on, without what the payer wrote, in one line. */
  readonly frame: string;
  /** Advertising before the title; empty where there is none. */
  readonly preface: string;
  /** Where the folded line holds what the payer wrote. */
  readonly payerText: readonly [from: number, to: number];
}

export interface Refusal {
  readonly reason: UnparsedReason;
  readonly facts: Facts | null;
}
