import type { SmsSignal } from './events/sms-events';

/**
 * Signals that undamaged genuine texts never have. In LIVE each of them sends evidence to review, unless the merchant
 * relaxed it. A test of sms-ingest proves "never" over public texts and over the texts of this project.
 */
export const FORGERY_SIGNALS = [
  'trx_id_time',
  'balance',
  'foreign_content',
  'invisible_characters',
  'lookalike_letters',
  'sender_id',
  'line_breaks',
] as const;

/** Signal of a text whose balance does not match the previous texts. */
export const BALANCE_BREAK = 'balance_break';

/** Signals that genuine texts have too. They lead to a review only if the merchant enabled a rule. */
export const HONEST_SIGNALS = ['grammar', 'provider_time', 'receiver', BALANCE_BREAK] as const;

/** The rule about evidence from a forwarder app that does not sign the text. */
export const UNSIGNED_FORWARDER = 'unsigned_forwarder';

/** Rules that apply in LIVE by default and that a merchant may relax one by one. */
export const RELAXABLE_SIGNALS = [...FORGERY_SIGNALS, UNSIGNED_FORWARDER] as const;
export type RelaxableSignal = (typeof RELAXABLE_SIGNALS)[number];

/**
 * Whether a signal sends evidence to review by default in LIVE. An unknown name is
 * reviewed, because a newer sms-ingest may send new signals.
 */
export function isReviewedByDefault(name: string): boolean {
  return !(HONEST_SIGNALS as readonly string[]).includes(name);
}

/** The sentence of each signal by its name and detail, without a known detail by an empty text. */
export const SIGNAL_SENTENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  trx_id_time: {
    differs: 'The date in the TrxID differs from the date in the text.',
    impossible: 'The TrxID contains a date that does not exist.',
    '': 'The TrxID does not match the date in the text.',
  },
  balance: { '': 'The balance in the text is lower than the received amount.' },
  foreign_content: {
    link: 'The text contains a link that the provider does not send.',
    phone_number: 'The text contains a phone number that the provider does not send.',
    '': 'The text contains content that the provider does not send.',
  },
  invisible_characters: {
    direction_marks: 'The text contains invisible characters that change the writing direction.',
    '': 'The text contains invisible characters.',
  },
  lookalike_letters: {
    mixed_digits: 'The text contains digits of two scripts.',
    '': 'The text contains letters of another script that look like Latin letters.',
  },
  sender_id: { '': 'The sender id is spelled differently from the id of the provider.' },
  line_breaks: { '': 'The line breaks of the text are missing, so the end of its balance is ambiguous.' },
  grammar: { '': 'The text differs from the format of the provider.' },
  provider_time: {
    after_receipt: 'The time in the text is later than the time of receipt.',
    long_before_receipt: 'The time in the text is more than one day before the time of receipt.',
    '': 'The time in the text does not match the time of receipt.',
  },
  receiver: { '': 'The receiver wallet of the text is unknown.' },
  [BALANCE_BREAK]: {
    passed_over: 'The balances of later texts of the wallet contradict the text.',
    '': 'The balance does not match the previous texts of the wallet.',
  },
};

/** Doubts that no signal of the text names. */
export const DOUBT_SENTENCES = {
  unsigned_forwarder:
    'The forwarder app did not sign the text, so anyone who knows the address of the hook could have sent it.',
  payer_differs:
    'The payer number differs from the number that the payment intent expects, or the expected number is not a mobile number.',
  evidence_too_old: 'The payment is older than the merchant allows.',
} as const;

/** Of a row that has lost the signals for which it was doubted. */
export const LOST_SIGNAL_SENTENCE = 'The text had a forgery signal when it was received.';

/** Every sentence that explains the doubts about a text, except those about signals of a newer service. */
export const EXPLANATIONS: readonly string[] = [
  ...Object.values(SIGNAL_SENTENCES).flatMap((sentences) => Object.values(sentences)),
  ...Object.values(DOUBT_SENTENCES),
  LOST_SIGNAL_SENTENCE,
];

/** A signal as a sentence. Older rows may have no detail, and newer services may send unknown names. */
export function signalInWords({
  name,
  detail,
}: {
  readonly name: string;
  readonly detail?: SmsSignal['detail'];
}): string {
  const sentences = Object.hasOwn(SIGNAL_SENTENCES, name) ? SIGNAL_SENTENCES[name] : undefined;
  if (sentences === undefined) return `The text has the signal ${name}.`;
  const exact = detail !== undefined && Object.hasOwn(sentences, detail) ? sentences[detail] : undefined;
  return exact ?? sentences[''] ?? '';
}
