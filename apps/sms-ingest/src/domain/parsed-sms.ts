import type {
  PaymentMethod,
  Poisha,
  Provider,
  RecognisedSmsKind,
  SmsDirection,
  SmsKind,
  SmsSignal,
} from '@pay/contracts';

/** Published in every event. Increase it when a parser accepts, refuses or reads texts differently. */
export const PARSER_VERSION = '7';

/** Providers whose texts are recognised. Only those of a Provider confirm payments. */
export const WALLETS = ['BKASH', 'NAGAD', 'ROCKET', 'UPAY'] as const;
export type Wallet = (typeof WALLETS)[number];

export function isCollected(wallet: Wallet | null): wallet is Provider {
  return wallet === 'BKASH' || wallet === 'NAGAD';
}

/** Why a text is not evidence. A closed set, because it is a metric label and is explained in the dashboard. */
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

/** The parsed values of a text; null if absent. */
export interface Facts {
  readonly kind: RecognisedSmsKind;
  /** Direction of the money from the view of the receiving wallet. */
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

/** Values of received money that can pay an intent. */
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

/** The result of a provider's parser for a normalized text. */
export type Reading = Evidence | Refusal;

export interface Evidence {
  readonly money: Money;
  /** The provider's part of the text: from the title on, without the payer's text, in one line. */
  readonly frame: string;
  /** Advertising before the title; empty if there is none. */
  readonly preface: string;
  /** Position of the payer's text in the normalized line. */
  readonly payerText: readonly [from: number, to: number];
}

export interface Refusal {
  readonly reason: UnparsedReason;
  readonly facts: Facts | null;
}
