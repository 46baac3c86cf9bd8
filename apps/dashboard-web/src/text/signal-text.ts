import { explanationText } from './explanation-text';
import type { Language } from './format';

interface Signal {
  readonly name: string;
  readonly detail: string;
}

/** The sentences of signals by name and detail, without a known detail by ''. The same as in the contracts. */
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
  balance_break: {
    passed_over: 'The balances of later texts of the wallet contradict the text.',
    '': 'The balance does not match the previous texts of the wallet.',
  },
};

/** A signal of a text in the language of the user. A newer API may send unknown names and details. */
export function signalText({ name, detail }: Signal, language: Language): ReturnType<typeof explanationText> {
  const sentences = Object.hasOwn(SIGNAL_SENTENCES, name) ? SIGNAL_SENTENCES[name] : undefined;
  if (sentences === undefined) {
    const text = language === 'bn' ? `এসএমএসে ${name} চিহ্ন আছে।` : `The text has the signal ${name}.`;
    return { text, language };
  }
  const exact = Object.hasOwn(sentences, detail) ? sentences[detail] : undefined;
  return explanationText(exact ?? sentences[''] ?? '', language);
}

/** Each sentence once: signals of unknown details have the same. */
export function signalTexts(signals: readonly Signal[], language: Language): ReturnType<typeof explanationText>[] {
  const texts = signals.map((signal) => signalText(signal, language));
  return [...new Map(texts.map((each) => [each.text, each])).values()];
}

/** Whether the balances of later texts contradict the text, so that it may be forged. */
export function isPassedOver(signals: readonly Signal[]): boolean {
  return signals.some(({ name, detail }) => name === 'balance_break' && detail === 'passed_over');
}
