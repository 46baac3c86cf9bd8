import { announcements } from './decision-events';
import type { MatchDecision } from '../domain/matching-session';

const DECISION: MatchDecision = {
  decisionId: '0198a5a0-0000-7000-8000-000000000001',
  matchId: '0198a5a0-0000-7000-8000-000000000002',
  tenant: { merchantId: '0198a5a0-0000-7000-8000-000000000003', environment: 'LIVE' },
  status: 'PENDING',
  path: undefined,
  reason: 'reference_not_found',
  checks: undefined,
  paidInTime: undefined,
  paymentIntentId: undefined,
  intent: undefined,
  sms: undefined,
  evidence: undefined,
  ingestedAt: undefined,
};

describe('a decision whose event does not reach intent-api', () => {
  it.each(['PENDING', 'UNPARSED'] as const)('is never published with a status change of an intent: %s', (status) => {
    const announce = (intent: MatchDecision['intent']) =>
      announcements({ matches: [{ ...DECISION, status, intent }], claims: [] }, new Date(0));
    expect(announce(undefined)).toHaveLength(1);
    expect(() => announce({ id: 'i', status: 'EXPIRED', sequence: 1 })).toThrow('moves no intent');
  });
});
