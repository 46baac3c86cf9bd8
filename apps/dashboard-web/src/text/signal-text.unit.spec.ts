import { DOUBT_SENTENCES, EXPLANATIONS, LOST_SIGNAL_SENTENCE, SIGNAL_SENTENCES, signalInWords } from '@pay/contracts';
import { EXPLANATIONS_IN_BANGLA } from './explanation-text';
import { isPassedOver, signalText, signalTexts } from './signal-text';

const SIGNALS = Object.entries(SIGNAL_SENTENCES).flatMap(([name, sentences]) =>
  Object.keys(sentences).map((detail) => ({ name, detail })),
);

it('is the sentence with which the API explains the signal, for every signal', () => {
  const texts = SIGNALS.map((signal) => signalText(signal, 'en').text);
  const ofNoSignal: readonly string[] = [...Object.values(DOUBT_SENTENCES), LOST_SIGNAL_SENTENCE];

  expect(texts).toEqual(SIGNALS.map(signalInWords));
  expect(texts.sort()).toEqual(EXPLANATIONS.filter((sentence) => !ofNoSignal.includes(sentence)).sort());
});

it('is Bangla in the Bangla dashboard', () => {
  const sentence = signalInWords({ name: 'balance', detail: '' });

  expect(signalText({ name: 'balance', detail: 'low' }, 'bn')).toEqual({
    text: EXPLANATIONS_IN_BANGLA[sentence],
    language: 'bn',
  });
});

it.each(['a_newer_signal', 'constructor'])('names the unknown signal %s', (name) => {
  expect(signalText({ name, detail: '' }, 'en')).toEqual({ text: signalInWords({ name }), language: 'en' });
  expect(signalText({ name, detail: '' }, 'bn')).toEqual({ text: `এসএমএসে ${name} চিহ্ন আছে।`, language: 'bn' });
});

it('names signals with the same sentence once', () => {
  const grammar = { name: 'grammar', detail: 'spacing' };

  expect(signalTexts([grammar, { ...grammar, detail: 'near_miss' }], 'en')).toEqual([signalText(grammar, 'en')]);
});

it('distinguishes a text that later balances contradict from one that does not follow from earlier ones', () => {
  expect(isPassedOver([{ name: 'balance_break', detail: 'passed_over' }])).toBe(true);
  expect(isPassedOver([{ name: 'balance_break', detail: 'does_not_follow' }])).toBe(false);
  expect(isPassedOver([])).toBe(false);
});
