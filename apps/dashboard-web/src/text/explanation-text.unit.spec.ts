import { EXPLANATIONS } from '@pay/contracts';
import { EXPLANATIONS_IN_BANGLA, explanationText } from './explanation-text';

const [SENTENCE = ''] = EXPLANATIONS;

it('has a Bangla text for each sentence with which the API explains a doubt, and for no other', () => {
  expect(Object.keys(EXPLANATIONS_IN_BANGLA).sort()).toEqual([...new Set(EXPLANATIONS)].sort());
});

it('is English in the English dashboard, and marked as English where a newer API has another sentence', () => {
  expect(explanationText(SENTENCE, 'bn')).toEqual({ text: EXPLANATIONS_IN_BANGLA[SENTENCE], language: 'bn' });
  expect(explanationText(SENTENCE, 'en')).toEqual({ text: SENTENCE, language: 'en' });
  expect(explanationText('A newer doubt.', 'bn')).toEqual({ text: 'A newer doubt.', language: 'en' });
});
