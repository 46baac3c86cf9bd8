import type { IntentStatus, MatchDecided } from '@pay/contracts';
import { effectOf, type Decision, type Move } from './decision-effect';
import { UNDECIDED, type StoredIntent } from './stored-intent';

const MERCHANT = '00000000-0000-7000-8000-00000000000a';
const INTENT = '00000000-0000-7000-8000-000000000001';
const ACCOUNT = '00000000-0000-7000-8000-0000000000c1';

function intent(
  overrides: Partial<StoredIntent> & { status?: IntentStatus; methodChosen?: boolean } = {},
): StoredIntent {
  const { status = 'PENDING', methodChosen = true, ...rest } = overrides;
  return {
    merchantId: MERCHANT,
    environment: 'LIVE',
    sequence: 1,
    ...UNDECIDED,
    intent: {
      id: INTENT,
      amount: '500',
      currency: 'BDT',
      status,
      customerReference: 'INV-1',
      merchantReference: null,
      paymentMethod: methodChosen ? 'BKASH_PAYMENT' : null,
      receiverMsisdn: methodChosen ? '01700000001' : null,
      receiverAccountId: methodChosen ? ACCOUNT : null,
      shownReceivers: [],
      methodFixed: false,
      expectedTrxId: null,
      expectedSenderMsisdn: null,
      customerId: null,
      language: null,
      successUrl: null,
      failedUrl: null,
      cancelUrl: null,
      expiredUrl: null,
      metadata: null,
      createdAt: '2026-11-21T04:00:00.000Z',
      expiresAt: '2026-11-21T04:05:00.000Z',
      paidAt: null,
      expiredAt: null,
      failedAt: null,
      rejectedAt: null,
      reviewRequiredAt: null,
      failureReason: null,
    },
    ...rest,
  };
}

const MONEY: NonNullable<MatchDecided['evidence']> = {
  smsEventId: '00000000-0000-7000-8000-0000000000e1',
  provider: 'NAGAD',
  paymentMethod: 'NAGAD_SEND_MONEY',
  trxId: 'DKL4A1B2C3',
  amount: '500',
  receiverAccountId: '00000000-0000-7000-8000-0000000000c2',
  receiverMsisdn: '01800000002',
  providerTime: '2026-11-21T04:00:00Z',
  ingestedAt: '2026-11-21T04:00:30Z',
};

function decision(status: IntentStatus, sequence: number, overrides: Partial<Decision & MatchDecided> = {}): Decision {
  const { merchantId = MERCHANT, environment = 'LIVE', occurredAt = '2026-11-21T04:01:00Z', ...data } = overrides;
  return {
    merchantId,
    environment,
    occurredAt,
    data: {
      matchId: '00000000-0000-7000-8000-0000000000d1',
      matchStatus: 'MATCHED',
      path: 'REFERENCE',
      reason: 'reference_match',
      checks: null,
      decidedBy: 'system',
      paymentIntentId: INTENT,
      intent: { id: INTENT, status, sequence },
      sms: { id: '00000000-0000-7000-8000-0000000000e1', status: 'MATCHED', sequence: 1 },
      evidence: MONEY,
      ...data,
    },
  };
}

function moveOf(current: StoredIntent, given: Decision): Move {
  const effect = effectOf(current, given);
  if (effect.kind !== 'apply') throw new Error(`expected a move, got ${effect.kind}`);
  return effect.move;
}

describe('the effect of a decision', () => {
  it('moves the intent and counts both sequences for the next decision', () => {
    const { next, from, to } = moveOf(intent({ sequence: 3, decisionSequence: 1 }), decision('PAID', 2));

    expect({ from, to }).toEqual({ from: 'PENDING', to: 'PAID' });
    expect({ ...next, intent: next.intent.status }).toMatchObject({ sequence: 4, decisionSequence: 2, intent: 'PAID' });
  });

  it('a paid intent carries the time of the decision in UTC', () => {
    const { next } = moveOf(intent(), decision('PAID', 1, { occurredAt: '2026-11-21T10:01:00+06:00' }));

    expect(next.intent.paidAt).toBe('2026-11-21T04:01:00.000Z');
  });

  it.each(['EXPIRED', 'REVIEW_REQUIRED', 'FAILED'] as const)(
    'an intent that becomes %s has no time of payment',
    (status) => {
      expect(moveOf(intent(), decision(status, 1)).next.intent.paidAt).toBeNull();
    },
  );

  it.each([
    ['EXPIRED', 'PENDING', 'expiredAt'],
    ['FAILED', 'PENDING', 'failedAt'],
    ['REVIEW_REQUIRED', 'PENDING', 'reviewRequiredAt'],
    ['REJECTED', 'REVIEW_REQUIRED', 'rejectedAt'],
    ['PAID', 'PENDING', 'paidAt'],
  ] as const)('an intent that becomes %s has the time of this status and of no other', (to, from, field) => {
    const { next } = moveOf(intent({ status: from }), decision(to, 1));
    const times = Object.entries(next.intent).filter(([name, value]) => /At$/.test(name) && value !== null);

    expect(Object.fromEntries(times)).toEqual({
      createdAt: intent().intent.createdAt,
      expiresAt: intent().intent.expiresAt,
      [field]: '2026-11-21T04:01:00.000Z',
    });
  });

  it('an intent that is paid after a review keeps the time of both', () => {
    const reviewed = moveOf(intent(), decision('REVIEW_REQUIRED', 1)).next;
    const { next } = moveOf(reviewed, decision('PAID', 2, { occurredAt: '2026-11-21T05:00:00Z' }));

    expect(next.intent).toMatchObject({
      reviewRequiredAt: '2026-11-21T04:01:00.000Z',
      paidAt: '2026-11-21T05:00:00.000Z',
    });
  });

  it('a failed intent carries the reason of the decision', () => {
    const failed = decision('FAILED', 1, { reason: 'receiver_switched_off', evidence: null, sms: null });

    expect(moveOf(intent(), failed).next.intent.failureReason).toBe('receiver_switched_off');
  });

  it('a payment counts for the account that received the money, or, without evidence, for the chosen one', () => {
    const byHand = decision('PAID', 1, { evidence: null });

    expect(moveOf(intent(), decision('PAID', 1)).takenBy).toBe('00000000-0000-7000-8000-0000000000c2');
    expect(moveOf(intent(), byHand).takenBy).toBe(ACCOUNT);
    expect(moveOf(intent(), decision('EXPIRED', 1)).takenBy).toBeNull();
  });

  it('an intent without a chosen method gets the method and receiver of the evidence that paid it', () => {
    const { next } = moveOf(intent({ methodChosen: false }), decision('PAID', 1));

    expect(next.intent).toMatchObject({
      paymentMethod: 'NAGAD_SEND_MONEY',
      receiverMsisdn: '01800000002',
      receiverAccountId: '00000000-0000-7000-8000-0000000000c2',
    });
  });

  it('an intent that is paid by another method than the chosen one names the method and receiver of the money and keeps the choice', () => {
    const { next } = moveOf(intent(), decision('PAID', 1));

    expect(next.intent).toMatchObject({
      paymentMethod: 'NAGAD_SEND_MONEY',
      receiverMsisdn: '01800000002',
      receiverAccountId: '00000000-0000-7000-8000-0000000000c2',
      chosenPaymentMethod: 'BKASH_PAYMENT',
      chosenReceiverMsisdn: '01700000001',
    });
  });

  it('an intent that is paid as it was chosen stores no second choice', () => {
    const asChosen = {
      paymentMethod: 'BKASH_PAYMENT',
      receiverMsisdn: '01700000001',
      receiverAccountId: ACCOUNT,
    } as const;
    const { next } = moveOf(intent(), decision('PAID', 1, { evidence: { ...MONEY, ...asChosen } }));

    expect(next.intent).toMatchObject(asChosen);
    expect(next.intent.chosenPaymentMethod).toBeUndefined();
  });

  it('an intent that is paid by the chosen method at an unknown receiver keeps the chosen receiver', () => {
    const unknown = { paymentMethod: 'BKASH_PAYMENT', receiverMsisdn: null, receiverAccountId: null } as const;
    const { next } = moveOf(intent(), decision('PAID', 1, { evidence: { ...MONEY, ...unknown } }));

    expect(next.intent).toMatchObject({ paymentMethod: 'BKASH_PAYMENT', receiverMsisdn: '01700000001' });
  });

  it('an intent that goes to review gets nothing from the evidence', () => {
    const { next } = moveOf(intent({ methodChosen: false }), decision('REVIEW_REQUIRED', 1));

    expect(next.intent.paymentMethod).toBeNull();
  });

  it('the event contains who decided, the SMS, the TrxID and the amount', () => {
    expect(moveOf(intent(), decision('PAID', 1)).decision).toEqual({
      matchId: '00000000-0000-7000-8000-0000000000d1',
      path: 'REFERENCE',
      reason: 'reference_match',
      decidedBy: 'system',
      smsEventId: '00000000-0000-7000-8000-0000000000e1',
      trxId: 'DKL4A1B2C3',
      receivedAmount: '500',
    });
  });

  it('an expiry without SMS is published without evidence', () => {
    const expiry = decision('EXPIRED', 1, { sms: null, evidence: null, path: null });

    expect(moveOf(intent(), expiry).decision).toMatchObject({ smsEventId: null, trxId: null, receivedAmount: null });
  });

  it.each([1, 2])('is nothing for decision %i when it arrives again after decision 2 was applied', (sequence) => {
    expect(effectOf(intent({ status: 'PAID', decisionSequence: 2 }), decision('PAID', sequence)).kind).toBe('ignore');
  });

  it('is delayed for a decision after the next one', () => {
    expect(effectOf(intent(), decision('PAID', 2)).kind).toBe('wait');
  });

  it.each([
    ['PAID', 'EXPIRED'],
    ['REJECTED', 'PAID'],
    ['EXPIRED', 'FAILED'],
    ['PENDING', 'PENDING'],
    ['PENDING', 'REJECTED'],
  ] as const)('is refused for a move from %s to %s', (status, to) => {
    expect(effectOf(intent({ status }), decision(to, 1)).kind).toBe('refuse');
  });

  it('is refused for another merchant', () => {
    const foreign = decision('PAID', 1, { merchantId: '00000000-0000-7000-8000-00000000000b' });

    expect(effectOf(intent(), foreign).kind).toBe('refuse');
  });

  it('is refused for the other environment', () => {
    expect(effectOf(intent(), decision('PAID', 1, { environment: 'SANDBOX' })).kind).toBe('refuse');
  });
});

describe('after a promoted reconciler lost its last commits', () => {
  const inEpoch = (epoch: number | null, status: IntentStatus, sequence: number, matchId?: string): Decision => {
    const given = decision(status, sequence);
    return { ...given, epoch, data: { ...given.data, ...(matchId !== undefined && { matchId }) } };
  };
  const doubtful = (epoch: number | null) =>
    intent({ status: 'REVIEW_REQUIRED', decisionSequence: 1, decisionEpoch: epoch, decisionHash: 5 });

  it('applies a decision whose sequence was used in an earlier epoch', () => {
    const { next, from } = moveOf(doubtful(1), inEpoch(2, 'PAID', 1));

    expect(from).toBe('REVIEW_REQUIRED');
    expect(next).toMatchObject({ decisionEpoch: 2, decisionSequence: 1, intent: { status: 'PAID' } });
  });

  it('ignores a decision of an earlier epoch with any sequence', () => {
    expect(effectOf(doubtful(2), inEpoch(1, 'PAID', 7)).kind).toBe('ignore');
  });

  it.each([
    ['the decision', doubtful(3), inEpoch(null, 'PAID', 1), 'ignore'],
    ['the applied one', doubtful(null), inEpoch(3, 'PAID', 1), 'ignore'],
    ['neither', doubtful(null), inEpoch(null, 'PAID', 2), 'apply'],
  ] as const)('compares only sequences when %s has no epoch', (_, stored, given, kind) => {
    expect(effectOf(stored, given).kind).toBe(kind);
  });

  it('keeps the greatest epoch known when a decision without one is applied', () => {
    expect(moveOf(doubtful(3), inEpoch(null, 'PAID', 2)).next).toMatchObject({ decisionEpoch: 3, decisionSequence: 2 });
  });

  it('waits for decisions of the earlier epoch that have not arrived', () => {
    expect(effectOf(doubtful(1), inEpoch(2, 'PAID', 3)).kind).toBe('wait');
  });

  it('publishes nothing when the lost decision is made again with the same result, and stores its new position', () => {
    const paid = intent({ status: 'PAID', decisionSequence: 1, decisionEpoch: 1, decisionHash: 5 });
    const effect = effectOf(paid, inEpoch(2, 'PAID', 1));

    expect(effect).toMatchObject({
      kind: 'confirm',
      confirmation: { next: { decisionEpoch: 2, decisionSequence: 1, sequence: paid.sequence, intent: paid.intent } },
    });
  });

  it('refuses a decision that the applied one does not allow: PAID stays PAID', () => {
    const paid = intent({ status: 'PAID', decisionSequence: 1, decisionEpoch: 1, decisionHash: 5 });

    expect(effectOf(paid, inEpoch(2, 'EXPIRED', 1))).toEqual({
      kind: 'refuse',
      reason: 'an intent cannot move from PAID to EXPIRED',
    });
  });

  it('distinguishes another decision with the same epoch and sequence from a repeat', () => {
    const first = inEpoch(2, 'PAID', 1, '00000000-0000-7000-8000-0000000000d1');
    const { next } = moveOf(intent(), first);

    expect(effectOf(next, first).kind).toBe('ignore');
    expect(effectOf(next, inEpoch(2, 'PAID', 1, '00000000-0000-7000-8000-0000000000d2')).kind).toBe('conflict');
  });
});
