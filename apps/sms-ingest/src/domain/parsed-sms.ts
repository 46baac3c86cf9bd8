import type { PaymentMethod, Poisha, Provider, SmsDirection, SmsKind } from '@pay/contracts';

/** Goes into every event. A change of what a parser reads or refuses is a new version. */
export const PARSER_VERSION = '1';

/** Why a text is no evidence. A closed set: it is a metric label, and what the dashboard explains. */
export const UNPARSED_REASONS = [
  'untrusted_sender',
  'unsupported_format',
  'ambiguous_text',
  'impossible_time',
  'parser_error',
] as const;
export type UnparsedReason = (typeof UNPARSED_REASONS)[number];

/** What a text says about money that came in. */
export interface Money {
  readonly kind: SmsKind;
  readonly direction: SmsDirection;
  readonly paymentMethod: PaymentMethod;
  readonly amount: Poisha;
  readonly fee: Poisha | null;
  readonly balance: Poisha | null;
  readonly trxId: string;
  readonly reference: string | null;
  /** As written: providers have begun to mask it (0178XXXX694). */
  readonly senderMsisdn: string;
  readonly providerTime: Date;
}

export interface Parsed extends Money {
  readonly status: 'PARSED';
  readonly provider: Provider;
}

export interface Unparsed {
  readonly status: 'UNPARSED';
  readonly provider: Provider | null;
  readonly reason: UnparsedReason;
}

/** What one provider's parser makes of a folded text: money, or why not. */
export type Reading = Money | UnparsedReason;
