import { comparePayments, slicesBetween, tenantsThatDiffer, type AuditedPayment, type ByStage } from './payment-audit';

const TENANT = { merchantId: '0193a5f0-0000-7000-8000-000000000001', environment: 'LIVE' } as const;
const ID = '0193a5f0-0000-7000-8000-00000000000a';
const PAID: AuditedPayment = { paymentIntentId: ID, amount: '50000', decidedAt: '2026-11-22T10:00:00.000Z' };

function stages(given: Partial<ByStage<readonly AuditedPayment[]>>): ByStage<readonly AuditedPayment[]> {
  return { decisions: [PAID], intents: [PAID], feed: [PAID], ...given };
}

describe('comparePayments', () => {
  it('finds nothing when all stages store the same payment', () => {
    expect(comparePayments(TENANT, stages({}))).toEqual([]);
  });

  it.each([
    ['decision_not_applied', { intents: [], feed: [] }],
    ['intent_without_decision', { decisions: [] }],
    ['missing_in_feed', { feed: [] }],
    ['feed_without_intent', { decisions: [], intents: [] }],
    ['amount_differs', { intents: [{ ...PAID, amount: '50001' }] }],
    ['amount_differs', { feed: [{ ...PAID, amount: '50001' }] }],
  ])('reports %s with the intent and the time of its decision', (kind, given) => {
    expect(comparePayments(TENANT, stages(given))).toEqual([
      { kind, ...TENANT, paymentIntentId: ID, decidedAt: PAID.decidedAt },
    ]);
  });

  it('reports one mismatch per payment and leaves equal payments out', () => {
    const other = { ...PAID, paymentIntentId: '0193a5f0-0000-7000-8000-00000000000b' };
    const mismatches = comparePayments(TENANT, stages({ decisions: [PAID, other], intents: [PAID] }));
    expect(mismatches.map(({ paymentIntentId, kind }) => [paymentIntentId, kind])).toEqual([
      [other.paymentIntentId, 'decision_not_applied'],
    ]);
  });
});

describe('tenantsThatDiffer', () => {
  const digest = { ...TENANT, payments: 1, amount: '50000', digest: '17' };

  it('leaves out a tenant with equal digests in all stages', () => {
    expect(tenantsThatDiffer({ decisions: [digest], intents: [digest], feed: [digest] })).toEqual([]);
  });

  it.each([
    ['a stage without the tenant', { decisions: [digest], intents: [digest], feed: [] }],
    ['another number of payments', { decisions: [digest], intents: [{ ...digest, payments: 2 }], feed: [digest] }],
    ['another sum', { decisions: [digest], intents: [digest], feed: [{ ...digest, amount: '1' }] }],
    [
      'other payments with the same sum',
      { decisions: [{ ...digest, digest: '18' }], intents: [digest], feed: [digest] },
    ],
  ])('names a tenant with %s', (_case, digests) => {
    expect(tenantsThatDiffer(digests)).toEqual([TENANT]);
  });
});

describe('slicesBetween', () => {
  it('divides a range into five-minute slices of UTC and ends the last one at the end of the range', () => {
    expect(slicesBetween(new Date('2026-11-22T10:07:00Z'), new Date('2026-11-22T10:16:30Z'))).toEqual([
      { from: '2026-11-22T10:05:00.000Z', to: '2026-11-22T10:10:00.000Z' },
      { from: '2026-11-22T10:10:00.000Z', to: '2026-11-22T10:15:00.000Z' },
      { from: '2026-11-22T10:15:00.000Z', to: '2026-11-22T10:16:30.000Z' },
    ]);
  });
});
