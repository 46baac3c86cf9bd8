import type { ExceptionDetails } from '@pay/contracts';
import { otherIntentsOf } from './other-intents';

const candidate = (paymentIntentId: string) => ({ paymentIntentId }) as ExceptionDetails['candidates'][number];
const suggestion = (...paymentIntentIds: string[]) =>
  ({ paymentIntentIds }) as unknown as ExceptionDetails['suggestions'][number];

it('names each intent of the rules and the suggestions once, and not the intent of the exception', () => {
  const item = {
    paymentIntentId: 'own',
    candidates: [candidate('own'), candidate('first')],
    suggestions: [suggestion('first', 'second'), suggestion('own')],
  };

  expect(otherIntentsOf(item)).toEqual(['first', 'second']);
});
