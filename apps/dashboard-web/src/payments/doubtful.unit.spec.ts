import type { EvidenceFile } from '@pay/contracts';
import { isDoubtful } from './doubtful';

const passedOver = [{ name: 'balance_break', detail: 'passed_over' }];
const paidBy = (smsEventId: string, paymentIntentId = 'own') => ({ smsEventId, paymentIntentId, intentStatus: 'PAID' });

/** Two texts, of which the second was passed over. */
function aFile({
  status = 'PAID',
  payment = { status } as object | null,
  decisions = [paidBy('b')] as readonly object[],
  signals = passedOver as readonly object[],
  claims = [] as readonly object[],
}) {
  return {
    paymentIntentId: 'own',
    payment,
    judgement: {
      intent: { status },
      sms: [
        { smsEventId: 'a', signals: [] },
        { smsEventId: 'b', signals },
      ],
      decisions,
      claims,
    },
  } as unknown as EvidenceFile;
}

it('is doubtful if the text that paid was passed over, also if the payment itself is missing', () => {
  expect(isDoubtful(aFile({}))).toBe(true);
  expect(isDoubtful(aFile({ payment: null }))).toBe(true);
  expect(isDoubtful(aFile({ decisions: [] }))).toBe(true);
  expect(isDoubtful(aFile({ decisions: [], claims: [{ outcome: 'matched', smsEventId: 'b' }] }))).toBe(true);
});

it.each([
  ['the intent is not paid', { status: 'REVIEW_REQUIRED' }],
  ['another text paid', { decisions: [paidBy('a')] }],
  [
    'the decisions are deleted and the intent has only claimed the text',
    { decisions: [], claims: [{ outcome: 'duplicate_trx_id', smsEventId: 'b' }] },
  ],
  ['the text that was passed over paid another intent', { decisions: [paidBy('a'), paidBy('b', 'other')] }],
  [
    'the text only does not follow from earlier ones',
    { signals: [{ name: 'balance_break', detail: 'does_not_follow' }] },
  ],
] as const)('is not doubtful if %s', (_, given) => {
  expect(isDoubtful(aFile(given))).toBe(false);
});

it('is not doubtful as long as the decisions are missing', () => {
  expect(isDoubtful({ ...aFile({}), judgement: null })).toBe(false);
});
