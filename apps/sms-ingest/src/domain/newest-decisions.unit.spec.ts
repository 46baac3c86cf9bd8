import type { MatchDecided, SmsStatus } from '@pay/contracts';
import { newestDecisions } from './newest-decisions';

function decided(id: string, sequence: number, status: SmsStatus, change: Partial<MatchDecided> = {}) {
  const data: MatchDecided = {
    matchId: 'match',
    matchStatus: 'MATCHED',
    path: 'REFERENCE',
    reason: 'a reason',
    checks: null,
    decidedBy: 'system',
    paymentIntentId: 'intent',
    intent: null,
    sms: { id, status, sequence },
    evidence: null,
    ...change,
  };
  return { merchantId: 'merchant', environment: 'SANDBOX', data } as const;
}

describe('newestDecisions', () => {
  it('keeps the highest sequence of each SMS in any order', () => {
    const decisions = newestDecisions([
      decided('a', 2, 'MATCHED'),
      decided('b', 1, 'MATCH_PENDING'),
      decided('a', 1, 'MATCH_PENDING'),
      decided('a', 2, 'REJECTED'),
    ]);
    expect(decisions.map(({ smsEventId, sequence, status }) => [smsEventId, sequence, status])).toEqual([
      ['a', 2, 'MATCHED'],
      ['b', 1, 'MATCH_PENDING'],
    ]);
  });

  it('ignores decisions without an SMS or merchant', () => {
    expect(
      newestDecisions([
        decided('a', 1, 'MATCHED', { sms: null }),
        { ...decided('b', 1, 'MATCHED'), merchantId: null },
        { ...decided('c', 1, 'MATCHED'), environment: null },
      ]),
    ).toEqual([]);
  });

  it.each<[SmsStatus, string | null]>([
    ['FAILED', 'a reason'],
    ['REJECTED', 'a reason'],
    ['UNPARSED', 'a reason'],
    ['MATCHED', null],
    ['MATCH_PENDING', null],
    ['MANUALLY_RESOLVED', null],
  ])('of status %s keeps as failure reason: %p', (status, failureReason) => {
    expect(newestDecisions([decided('a', 1, status)])).toMatchObject([{ failureReason }]);
  });

  it('keeps the reason of a text that was refused for its method when a reviewer closes and reopens it', () => {
    const decisions = [
      decided('a', 1, 'FAILED', { reason: 'method_not_allowed' }),
      decided('a', 2, 'REJECTED', { reason: 'not_ours' }),
      decided('a', 3, 'FAILED', { reason: 'reopened' }),
    ];
    const reasons = decisions.map((decision) => newestDecisions([decision])[0]?.failureReason);
    expect(reasons).toEqual(['method_not_allowed', 'not_ours', 'method_not_allowed']);
  });
});
