import type { SmsSignal } from './events/sms-events';

/**
 * Signals of a text that honest texts never show. In LIVE each of them sends evidence to review, unless the merchant relaxed it.
 * A test of sms-ingest proves "never" over public texts and over the texts of this project.
 */
export const FORGERY_SIGNALS = [
  'trx_id_time',
  'balance',
  'foreign_content',
  'invisible_characters',
  'lookalike_letters',
  'sender_id',
] as const;
export type ForgerySignal = (typeof FORGERY_SIGNALS)[number];

/** The signal of a text whose balance does not follow from the texts before it. */
export const BALANCE_BREAK = 'balance_break';

/** Signals that honest texts show too. They lead to review only where the merchant switched a rule on. */
export const HONEST_SIGNALS = ['grammar', 'provider_time', 'receiver', BALANCE_BREAK] as const;

/** The rule about evidence from a forwarder app that does not sign the text. */
export const UNSIGNED_FORWARDER = 'unsigned_forwarder';

/** Rules that apply in LIVE by default and that a merchant may relax, each by itself. */
export const RELAXABLE_SIGNALS = [...FORGERY_SIGNALS, UNSIGNED_FORWARDER] as const;
export type RelaxableSignal = (typeof RELAXABLE_SIGNALS)[number];

/**
 * Whether a signal sends evidence to review by default in LIVE. A name that this version does not know does: sms-ingest may be newer,
 * and money waits for a person rather than being lost to a forger.
 */
export function isReviewedByDefault(name: string): boolean {
  return !(HONEST_SIGNALS as readonly string[]).includes(name);
}

const SENTENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  trx_id_time: {
    differs: 'The TrxID was issued on another date than the text says.',
    impossible: 'The TrxID contains a date that does not exist.',
    '': 'The TrxID does not agree with the date in the text.',
  },
  balance: { '': 'The balance in the text is lower than the amount that was received.' },
  foreign_content: {
    link: 'The text contains a link that the provider does not send.',
    phone_number: 'The text contains a phone number that the provider does not send.',
    '': 'The text contains content that the provider does not send.',
  },
  invisible_characters: {
    direction_marks: 'The text contains invisible marks that change the direction of writing.',
    '': 'The text contains invisible characters.',
  },
  lookalike_letters: {
    mixed_digits: 'The text mixes digits of two scripts.',
    '': 'The text contains letters of another script that look like Latin letters.',
  },
  sender_id: { '': 'The sender id is spelled differently from the id of the provider.' },
  grammar: { '': 'The text differs in form from what the provider sends.' },
  provider_time: {
    after_receipt: 'The time in the text is later than the time at which the phone received it.',
    long_before_receipt: 'The time in the text is more than a day before the phone received it.',
    '': 'The time in the text does not agree with the time at which the phone received it.',
  },
  receiver: { '': 'The text does not show which wallet received the money.' },
  [BALANCE_BREAK]: { '': 'The balance does not follow from the earlier texts of the wallet.' },
};

/** A signal as a sentence for people. Rows of earlier versions may have no detail, and newer services may send other names. */
export function signalInWords({
  name,
  detail,
}: {
  readonly name: string;
  readonly detail?: SmsSignal['detail'];
}): string {
  const sentences = Object.hasOwn(SENTENCES, name) ? SENTENCES[name] : undefined;
  if (sentences === undefined) return `The text shows the signal ${name}.`;
  const exact = detail !== undefined && Object.hasOwn(sentences, detail) ? sentences[detail] : undefined;
  return exact ?? sentences[''] ?? '';
}
