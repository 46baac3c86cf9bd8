import { amountFromWire, referenceKey } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  excludes,
  expires,
  HOUR,
  intentArrives,
  readAgain,
  rejects,
  SHOP,
  smsArrives,
  someEvidence,
  TERMS,
  unparsedArrives,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const INV_1 = referenceKey('INV-1');

describe('a text that a later parser re-parses with another result', () => {
  it('is decided as a new text: the reference found by the parser pays the intent', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence();
    matching.deliver(intentArrives(intent), smsArrives(sms));
    expect(matching.match(sms).status).toBe('PENDING');

    matching.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', smsSequence: 2, factsSequence: 2 });
  });

  it('changes nothing when its reading is older or delivered twice', () => {
    const matching = inMemoryMatching();
    const first = someEvidence({ reference: 'INV-1' });
    const second = readAgain(first, { amount: amountFromWire('499') });
    const unparsed = unparsedArrives(first);

    matching.deliver(smsArrives(second), smsArrives(first));
    matching.deliver(smsArrives(second), smsArrives(first), unparsed);

    expect(matching.decisions).toHaveLength(1);
    expect(matching.evidence(first.smsEventId).amount).toBe(second.amount);
  });

  it('keeps the newest reading when both arrive in one batch', () => {
    const matching = inMemoryMatching();
    const first = someEvidence();

    matching.deliver(smsArrives(readAgain(first, { referenceKey: INV_1 })), smsArrives(first));

    expect(matching.match(first)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found', factsSequence: 2 });
  });

  it('does not change after it has paid', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    matching.deliver(intentArrives(intent), smsArrives(sms));

    matching.deliver(smsArrives(readAgain(sms, { amount: amountFromWire('499'), trxId: 'OTHER12345' })));

    expect(matching.evidence(sms.smsEventId)).toEqual({ ...sms, state: 'USED' });
    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
  });

  it('no longer leads to an intent that the earlier parser found by mistake', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', amount: amountFromWire('499') });
    matching.deliver(intentArrives(intent), smsArrives(sms));
    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');

    matching.deliver(smsArrives(readAgain(sms, { referenceKey: referenceKey('INV-7') })));

    expect(matching.match(sms)).toMatchObject({
      status: 'PENDING',
      reason: 'reference_not_found',
      intentId: undefined,
    });
    expect(matching.evidence(sms.smsEventId).state).toBe('WAITING');
  });

  it('is late by the time at which it was received, not at which it was parsed', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence();
    matching.deliver(intentArrives(intent), smsArrives(sms));

    matching.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1, ingestedAt: after(60) })));

    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('for an intent that has expired since is reported as paid in time and received late', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence();
    matching.deliver(intentArrives(intent), unparsedArrives(sms), expires(intent));

    matching.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(matching.intent(intent.id).status).toBe('EXPIRED');
    expect(matching.match(sms)).toMatchObject({ reason: 'late_payment', paidInTime: true });
  });

  it('invalidates its former TrxID, and the claim of that TrxID waits again', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const misread = someEvidence({ trxId: 'DKL4A1B2C0', amount: amountFromWire('499') });
    const claim = claimArrives(intent.id, 'DKL4A1B2C0');
    matching.deliver(intentArrives(intent), smsArrives(misread), claim);
    expect(matching.claim(claim.claim.id).outcome).toBe('amount_mismatch');

    matching.deliver(smsArrives(readAgain(misread, { trxId: 'DKL4A1B2CO' })));
    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'waiting', smsEventId: undefined });

    matching.deliver(smsArrives(someEvidence({ trxId: 'DKL4A1B2C0' })));
    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('becomes a duplicate and is no longer evidence when its new TrxID was seen before', () => {
    const matching = inMemoryMatching();
    const first = someEvidence();
    const misread = someEvidence({ trxId: 'DKL4A1B2C4' });
    matching.deliver(smsArrives(first), smsArrives(misread));

    matching.deliver(smsArrives(readAgain(misread, { trxId: first.trxId })));

    expect(matching.match(misread)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(matching.all().evidence.map(({ smsEventId }) => smsEventId)).toEqual([first.smsEventId]);
  });

  it('pays nothing automatically when it still waits and has replaced a closed text with other facts', () => {
    const matching = inMemoryMatching();
    const [closed, sms] = [someEvidence(), someEvidence({ trxId: 'DKL4A1B2C4', reference: 'INV-1' })];
    matching.deliver(smsArrives(closed), smsArrives(sms));
    matching.deliver(excludes(closed, 'not-ours'));

    matching.deliver(smsArrives(readAgain(sms, { trxId: closed.trxId })));
    const intent = anIntent();
    matching.deliver(intentArrives(intent));

    expect(matching.match(sms)).toMatchObject({ reason: 'contradicting_texts', doubts: ['contradicting_texts'] });
    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
  });

  it('keeps its lasting doubts when it replaces a closed text with other facts and waits', () => {
    const matching = inMemoryMatching();
    const [wrong, payer] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const closed = someEvidence({ amount: amountFromWire('9000') });
    const sms = someEvidence({ trxId: 'DKL4A1B2C4' });
    const claims = [wrong, payer].map(({ id }) => claimArrives(id, sms.trxId));
    matching.deliver(...[wrong, payer].map(intentArrives), ...claims, smsArrives(closed), smsArrives(sms));
    matching.deliver(excludes(closed, 'not-ours'), rejects(sms, wrong, true));
    expect(matching.match(sms).doubts).toEqual(['other_intent_rejected']);

    matching.deliver(smsArrives(readAgain(sms, { trxId: closed.trxId })));

    expect(matching.match(sms)).toMatchObject({
      status: 'PENDING',
      doubts: ['contradicting_texts', 'other_intent_rejected'],
    });
  });

  it('goes to review after its match window', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence();
    matching.deliver(intentArrives(intent), smsArrives(sms));
    matching.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });

    matching.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'match_window_over' });
    expect(matching.evidence(sms.smsEventId).state).toBe('LAPSED');
  });

  it.each(['FAILED', 'DUPLICATE'] as const)('waits for a person after its match window when it was %s', (status) => {
    const terms = { ...TERMS, enabledMethods: new Set(TERMS.enabledMethods) };
    const matching = inMemoryMatching(terms);
    const [sms, other] = [someEvidence(), someEvidence({ trxId: 'DKL4A1B2C9' })];
    matching.deliver(smsArrives(sms), smsArrives(other));
    matching.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });
    if (status === 'FAILED') terms.enabledMethods.delete(sms.method);
    const second = readAgain(sms, status === 'DUPLICATE' ? { trxId: other.trxId } : {});
    matching.deliver(smsArrives(second));
    expect(matching.match(sms).status).toBe(status);
    terms.enabledMethods.add(sms.method);

    matching.deliver(smsArrives(readAgain(second, { trxId: sms.trxId })));

    expect(matching.match(sms)).toMatchObject({ status: 'EXPIRED', reason: 'match_window_over' });
    expect(matching.evidence(sms.smsEventId).state).toBe('LAPSED');
  });

  it('is a duplicate for another reason when its time was parsed wrongly and its TrxID was seen before', () => {
    const matching = inMemoryMatching({ ...TERMS, recordRetentionMs: 24 * HOUR });
    const first = someEvidence();
    const sms = someEvidence({ providerTime: after(-48 * 60), ingestedAt: after(3) });
    matching.deliver(smsArrives(sms));
    expect(matching.match(sms)).toMatchObject({ status: 'DUPLICATE', reason: 'older_than_records' });
    matching.deliver(smsArrives(first));

    matching.deliver(smsArrives(readAgain(sms, { providerTime: first.providerTime })));

    expect(matching.match(sms)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
  });

  it('that still cannot be parsed has the reason of the latest parser', () => {
    const matching = inMemoryMatching();
    const sms = someEvidence();
    const later = unparsedArrives(sms, 2, 'failed_payment');

    matching.deliver(later, unparsedArrives(sms, 1));

    expect(matching.match(sms)).toMatchObject({ status: 'UNPARSED', reason: 'failed_payment' });
  });
});
