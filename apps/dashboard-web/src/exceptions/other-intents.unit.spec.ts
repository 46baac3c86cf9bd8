import type { ExceptionDetails } from '@pay/contracts';
import { candidateReasons, intentsToReject, otherIntentsOf } from './other-intents';

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

it('names each reason and doubt of a candidate once, and none for an intent that only a suggestion names', () => {
  const candidates = [
    { ...candidate('first'), reason: 'unsigned_forwarder', doubts: ['unsigned_forwarder', 'competing_claims'] },
    { ...candidate('other'), reason: 'late_payment', doubts: [] },
    { ...candidate('first'), reason: 'competing_claims', doubts: [] },
  ];

  expect(candidateReasons({ candidates }, 'first')).toEqual(['unsigned_forwarder', 'competing_claims']);
  expect(candidateReasons({ candidates }, 'second')).toEqual([]);
});

describe('intentsToReject', () => {
  const inReview = { status: 'REVIEW_REQUIRED' } as const;
  const candidates = [
    { ...candidate('own'), intent: inReview },
    { ...candidate('other'), intent: inReview },
    { ...candidate('paid'), intent: { status: 'PAID' } },
    { ...candidate('unknown'), intent: null },
  ] as Parameters<typeof intentsToReject>[0]['candidates'];
  const item = { status: 'OPEN', paymentIntentId: 'own', intentStatus: 'REVIEW_REQUIRED', candidates } as const;

  it('names the other candidates in review of an open exception, because its own intent is rejected with it', () => {
    expect(intentsToReject(item)).toEqual(['other']);
  });

  it('names every intent in review of a closed exception', () => {
    expect(intentsToReject({ ...item, status: 'CLOSED' })).toEqual(['own', 'other']);
    expect(intentsToReject({ ...item, status: 'CLOSED', candidates: [] })).toEqual(['own']);
  });

  it('names no intent of a closed exception whose intents are all decided', () => {
    const decided = { ...item, status: 'CLOSED', intentStatus: 'REJECTED', candidates: candidates.slice(2) } as const;
    expect(intentsToReject(decided)).toEqual([]);
  });
});
