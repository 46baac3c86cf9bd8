import { amountFromWire, type IntentStatus } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  OTHER_WALLET,
  smsArrives,
  someEvidence,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';
import type { Evidence } from './facts';

const TRX = 'DKL4A1B2C3';

/** The effect of one text on one intent on either path, and the claimant's response. */
function decided(
  path: 'reference' | 'TrxID',
  status: IntentStatus,
  given: Partial<Evidence> = {},
  claimedAt = after(3),
) {
  const matching = inMemoryMatching();
  const intent = anIntent({ status });
  const sms = someEvidence({ ...(path === 'reference' && { reference: 'INV-1' }), ...given });
  const claim = claimArrives(intent.id, TRX, claimedAt);
  matching.deliver(intentArrives(intent), smsArrives(sms), ...(path === 'TrxID' ? [claim] : []));
  const published = path === 'TrxID' ? matching.claim(claim.claim.id).outcome : undefined;
  return {
    match: matching.match(sms),
    status: matching.intent(intent.id).status,
    state: matching.evidence(sms.smsEventId).state,
    published,
  };
}

describe('a row of the decision table', () => {
  it.each(['INV-1', 'inv 1', ' i-N v1', 'I N V - 1'])(
    'reference written "%s" and all other checks hold: PAID',
    (reference) => {
      const matching = inMemoryMatching();
      const intent = anIntent({ reference: 'INV-1' });
      matching.deliver(intentArrives(intent), smsArrives(someEvidence({ reference })));

      expect(matching.intent(intent.id).status).toBe('PAID');
    },
  );

  it.each([
    ['reference', undefined],
    ['TrxID', 'matched'],
  ] as const)('%s and all other checks hold: an intent under review is PAID like a pending one', (path, outcome) => {
    for (const status of ['PENDING', 'REVIEW_REQUIRED'] as const) {
      const { match, status: becomes, state, published } = decided(path, status);

      expect([match.status, becomes, state, published]).toEqual(['MATCHED', 'PAID', 'USED', outcome]);
    }
  });

  it.each([
    ['reference', 'reference_match_amount_mismatch', undefined, '499.99'],
    ['reference', 'reference_match_amount_mismatch', undefined, '500.01'],
    ['TrxID', 'trx_id_match_amount_mismatch', 'amount_mismatch', '499.99'],
    ['TrxID', 'trx_id_match_amount_mismatch', 'amount_mismatch', '5000'],
  ] as const)(
    '%s matched and the amount differs: %s, the evidence is not consumed',
    (path, reason, outcome, amount) => {
      const { match, status, state, published } = decided(path, 'PENDING', { amount: amountFromWire(amount) });

      expect([match.status, match.reason, status]).toEqual(['REVIEW_REQUIRED', reason, 'REVIEW_REQUIRED']);
      expect([state, published]).toEqual(['REVIEW', outcome]);
    },
  );

  it.each([
    ['reference', true, after(5), undefined],
    ['reference', false, after(6), undefined],
    ['TrxID', true, after(5), 'intent_expired'],
    ['TrxID', false, after(6), 'intent_expired'],
  ] as const)(
    '%s matched and the intent EXPIRED: late_payment, paidInTime %s',
    (path, paidInTime, providerTime, outcome) => {
      const { match, status, published } = decided(path, 'EXPIRED', { providerTime }, after(7));

      expect(match).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'late_payment', paidInTime });
      expect([status, published]).toEqual(['EXPIRED', outcome]);
    },
  );

  it.each([
    ['reference', 'FAILED', 'intent_closed', undefined],
    ['reference', 'REJECTED', 'intent_closed', undefined],
    ['reference', 'PAID', 'intent_already_paid', undefined],
    ['TrxID', 'FAILED', 'intent_closed', 'intent_not_pending'],
    ['TrxID', 'REJECTED', 'intent_closed', 'intent_not_pending'],
    ['TrxID', 'PAID', 'intent_already_paid', 'intent_not_pending'],
  ] as const)('%s matched and the intent %s: %s, the intent stays', (path, closed, reason, outcome) => {
    const { match, status, published } = decided(path, closed);

    expect([match.status, match.reason, status, published]).toEqual(['REVIEW_REQUIRED', reason, closed, outcome]);
  });

  it.each([
    ['after its end', after(5, 1)],
    ['long after its end', after(90)],
  ])(
    'money that came in %s never pays a pending intent automatically: late_payment with one click',
    (_, ingestedAt) => {
      const { match, status } = decided('reference', 'PENDING', { providerTime: after(4), ingestedAt });

      expect(match).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'late_payment', paidInTime: true });
      expect(match.intentId).toBeDefined();
      expect(status).toBe('PENDING');
    },
  );
});

describe('known mistakes of other systems', () => {
  it('does not pay with money on the wrong receiver of a merchant with two receivers', () => {
    for (const path of ['reference', 'TrxID'] as const) {
      const { status, match } = decided(path, 'PENDING', { receiverAccountId: OTHER_WALLET });

      expect([status, match.status === 'MATCHED']).toEqual(['PENDING', false]);
    }
  });

  it('does not let a claim take evidence that names an open intent, and does not show the claimant that it exists', () => {
    for (const status of ['PENDING', 'REVIEW_REQUIRED'] as const) {
      const matching = inMemoryMatching();
      const victim = anIntent({ reference: 'INV-1', status, amount: amountFromWire('501') });
      const thief = anIntent({ reference: 'INV-2' });
      const [guess, theft] = [claimArrives(thief.id, 'NEVERSEEN1'), claimArrives(thief.id, TRX)];
      matching.deliver(intentArrives(victim), intentArrives(thief), smsArrives(someEvidence({ reference: 'INV-1' })));

      matching.deliver(guess, theft);

      expect(matching.intent(thief.id).status).toBe('PENDING');
      expect(matching.claim(theft.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'names_another_intent' });
      expect(matching.claim(guess.claim.id).outcome).toBe('waiting');
    }
  });

  it('pays the oldest of many claims of one TrxID whose SMS is there, in any batches', () => {
    for (const isOneBatch of [true, false]) {
      const matching = inMemoryMatching();
      const [first, second] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
      const claims = [claimArrives(first.id, TRX, after(2)), claimArrives(second.id, TRX, after(3))];
      matching.deliver(intentArrives(first), intentArrives(second));
      matching.deliver(smsArrives(someEvidence()));

      if (isOneBatch) matching.deliver(...claims.toReversed());
      else for (const claim of claims) matching.deliver(claim);

      expect([matching.intent(first.id).status, matching.intent(second.id).status]).toEqual(['PAID', 'PENDING']);
    }
  });

  it('does not use doubtful evidence for a claim', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(
      intentArrives(intent),
      expires(intent),
      claimArrives(intent.id, TRX, after(9)),
      smsArrives(someEvidence()),
    );

    expect(matching.intent(intent.id).status).toBe('EXPIRED');
    expect(matching.all().evidence.map(({ state }) => state)).toEqual(['REVIEW']);
  });
});
