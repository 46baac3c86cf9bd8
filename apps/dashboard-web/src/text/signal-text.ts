import { SIGNAL_SENTENCES } from '@pay/contracts';
import { explanationText } from './explanation-text';
import type { Language } from './format';

interface Signal {
  readonly name: string;
  readonly detail: string;
}

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
