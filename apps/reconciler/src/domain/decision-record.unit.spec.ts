import { paymentFacts } from './decision-record';
import type { MatchDecision } from './matching-session';

const INGESTED = new Date('2026-11-24T10:00:00.000Z');
const paying = (fields: Partial<MatchDecision> = {}): MatchDecision => ({
  decisionId: 'd1',
  matchId: 'm1',
  tenant: { merchantId: 'shop', environment: 'LIVE' },
  status: 'MATCHED',
  path: 'REFERENCE',
  reason: 'reference_match',
  checks: undefined,
  paidInTime: true,
  paymentIntentId: 'i1',
  intent: { id: 'i1', status: 'PAID', sequence: 1 },
  sms: undefined,
  evidence: undefined,
  ingestedAt: INGESTED,
  ...fields,
});
const after = (milliseconds: number) => new Date(INGESTED.getTime() + milliseconds);

describe('how a decision made an intent PAID', () => {
  it.each([
    ['by reference, seconds after its SMS', paying(), 250, { byPerson: false, secondsAfterSms: 0.25 }],
    ['by reference, before the clock of the SMS', paying(), -1, { byPerson: false, secondsAfterSms: 0 }],
    ['by TrxID, which waits for a customer', paying({ path: 'TRX_ID' }), 250, { byPerson: false }],
    ['by a person', paying({ status: 'MANUALLY_RESOLVED', path: 'MANUAL' }), 250, { byPerson: true }],
    ['not at all', paying({ intent: { id: 'i1', status: 'EXPIRED', sequence: 1 } }), 250, undefined],
    ['with no change of an intent', paying({ intent: undefined }), 250, undefined],
  ])('%s', (_how, decision, milliseconds, facts) => {
    expect(paymentFacts(decision, after(milliseconds))).toEqual(facts);
  });
});
