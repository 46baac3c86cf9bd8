import { amountFromWire, type PaymentMethod } from '@pay/contracts';
import {
  after,
  anIntent,
  aSignal,
  claimArrives,
  excludes,
  intentArrives,
  NAGAD_WALLET,
  SANDBOX_SHOP,
  rejects,
  SHOP,
  signalsChange,
  smsArrives,
  someEvidence,
  TEN,
  TERMS,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

describe('an SMS of a TrxID that was seen before', () => {
  it('is a duplicate and never evidence', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1' });
    const again = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    matching.deliver(intentArrives(intent), smsArrives(first));

    matching.deliver(smsArrives(again));

    expect(matching.match(again)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(matching.decisions.at(-1)).toMatchObject({ sms: { status: 'FAILED', sequence: 1 }, intent: undefined });
    expect(() => matching.evidence(again.smsEventId)).toThrow();
  });

  it('is found within one batch; the first ingested SMS is the evidence', () => {
    const matching = inMemoryMatching();
    const first = someEvidence({ ingestedAt: after(1) });
    const again = someEvidence({ ingestedAt: after(2) });

    matching.deliver(smsArrives(again), smsArrives(first));

    expect(matching.match(first).status).toBe('PENDING');
    expect(matching.match(again).status).toBe('DUPLICATE');
  });

  it('is not a duplicate in the other environment', () => {
    const matching = inMemoryMatching();
    matching.deliver(smsArrives(someEvidence()));
    const sandbox = someEvidence({ tenant: SANDBOX_SHOP });

    matching.deliver(smsArrives(sandbox));

    expect(matching.match(sandbox).status).toBe('PENDING');
  });

  it('changes nothing when it is the same SMS, delivered twice', () => {
    const matching = inMemoryMatching();
    const sms = someEvidence();

    matching.deliver(smsArrives(sms), smsArrives(sms));
    matching.deliver(smsArrives(sms));

    expect(matching.decisions).toHaveLength(1);
    expect(matching.match(sms).status).toBe('PENDING');
  });

  it('is another payment when it has another TrxID, also from the same sender in the same second', () => {
    const matching = inMemoryMatching();
    const one = someEvidence();
    const other = someEvidence({ trxId: 'DKL4A1B2C4' });

    matching.deliver(smsArrives(one), smsArrives(other));

    expect([matching.match(one).status, matching.match(other).status]).toEqual(['PENDING', 'PENDING']);
  });
});

describe('an SMS without doubts of a TrxID whose stored SMS', () => {
  const FORGED = { amount: amountFromWire('9000'), signals: [aSignal('trx_id_time')] };

  it.each([
    ['has no receiver account', { receiverAccountId: undefined }],
    ['has a forgery signal', { signals: [aSignal('trx_id_time')] }],
    ['is not signed', { authenticity: 'unsigned' as const }],
  ])('%s and otherwise the same facts replaces it and pays', (_, given) => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1', ...given });
    const second = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    matching.deliver(intentArrives(intent), smsArrives(first));
    expect(matching.match(first).status).toBe('REVIEW_REQUIRED');

    matching.deliver(smsArrives(second));
    matching.deliver(smsArrives(first), smsArrives(second));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.match(second)).toMatchObject({ status: 'MATCHED', reason: 'reference_match' });
    expect(matching.match(first)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(matching.all().evidence.map(({ smsEventId }) => smsEventId)).toEqual([second.smsEventId]);
  });

  it.each([
    ['amount', { amount: amountFromWire('9000') }],
    ['payer', { payerMsisdn: '01911111111' }],
    ['reference', { referenceKey: 'OTHER9' }],
    ['receiver account', { receiverAccountId: NAGAD_WALLET }],
    ['time', { providerTime: after(1) }],
  ])('is doubtful and has another %s replaces it, goes to review and is not paid by claims', (_, given) => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const forged = someEvidence({ reference: 'INV-1', ...FORGED, amount: amountFromWire('500'), ...given });
    const genuine = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    matching.deliver(smsArrives(forged));

    matching.deliver(smsArrives(genuine));
    matching.deliver(intentArrives(intent), claimArrives(intent.id, genuine.trxId));

    expect(matching.match(genuine)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'contradicting_texts',
      intentId: intent.id,
    });
    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(forged).status).toBe('DUPLICATE');
  });

  it('is doubtful, in review and has other facts keeps its exception open, without being evidence', () => {
    const matching = inMemoryMatching();
    const [other, payer] = [anIntent({ reference: 'INV-9' }), anIntent({ reference: 'INV-1' })];
    const forged = someEvidence({ reference: 'INV-9', ...FORGED, amount: amountFromWire('500') });
    const genuine = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    matching.deliver(intentArrives(other), intentArrives(payer), smsArrives(forged));

    matching.deliver(smsArrives(genuine));

    const reason = 'contradicting_texts';
    expect(matching.match(forged)).toMatchObject({ status: 'REVIEW_REQUIRED', reason, intentId: other.id });
    expect(matching.match(genuine)).toMatchObject({ status: 'REVIEW_REQUIRED', reason, intentId: payer.id });
    expect(matching.all().evidence.map(({ smsEventId }) => smsEventId)).toEqual([genuine.smsEventId]);
    matching.deliver(rejects({ smsEventId: forged.smsEventId, tenant: SHOP }, other));
    expect(matching.intent(other.id).status).toBe('REJECTED');
  });

  it.each([
    ['is published again after a failover of sms-ingest', { factsEpoch: 2, signalsEpoch: 2 }, true],
    ['is parsed again', { factsSequence: 2, signalsSequence: 2 }, undefined],
  ])('is doubtful, in review and has other facts keeps its exception open when it %s', (_, given, decisionMissing) => {
    const matching = inMemoryMatching();
    const other = anIntent({ reference: 'INV-9' });
    const known = { factsEpoch: 1, signalsEpoch: 1 };
    const forged = someEvidence({ reference: 'INV-9', ...FORGED, ...known });
    const genuine = someEvidence({ ingestedAt: after(3), ...known });
    matching.deliver(intentArrives(other), smsArrives(forged));
    matching.deliver(smsArrives(genuine));

    matching.deliver({ kind: 'sms', tenant: SHOP, evidence: { ...forged, ...given }, decisionMissing });

    expect(matching.match(forged)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'contradicting_texts' });
    expect(matching.decisions.at(-1)).toMatchObject({ sms: { id: forged.smsEventId, sequence: 3 } });
    expect(matching.all().evidence.map(({ smsEventId }) => smsEventId)).toEqual([genuine.smsEventId]);
    matching.deliver(rejects({ smsEventId: forged.smsEventId, tenant: SHOP }, other));
    expect(matching.intent(other.id).status).toBe('REJECTED');
  });

  it.each([
    ['other facts goes to review', { amount: amountFromWire('9000') }, 'REVIEW_REQUIRED'],
    ['the same facts is a duplicate', {}, 'DUPLICATE'],
  ])('was closed by a person and has %s', (_, given, status) => {
    const matching = inMemoryMatching();
    const stored = someEvidence({ reference: 'INV-1', ...given });
    const text = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    matching.deliver(smsArrives(stored));
    matching.deliver(excludes(stored, 'not-ours'));

    matching.deliver(intentArrives(anIntent()), smsArrives(text));

    expect(matching.match(text).status).toBe(status);
    expect(matching.match(stored)).toMatchObject({ status: 'REJECTED', reason: 'not_ours' });
  });

  it.each([
    ['has no doubts', {}, {}],
    ['is doubtful, if the new SMS is doubtful too,', FORGED, { signals: [aSignal('trx_id_time')] }],
  ])('%s is a duplicate', (_, first, second) => {
    const matching = inMemoryMatching();
    const stored = someEvidence(first);
    const text = someEvidence({ amount: amountFromWire('700'), ingestedAt: after(3), ...second });
    matching.deliver(smsArrives(stored));

    matching.deliver(smsArrives(text));

    expect([matching.match(stored).status, matching.match(text).status]).toEqual(['PENDING', 'DUPLICATE']);
  });

  it('has paid is a duplicate, also if the stored SMS was doubted later', () => {
    const matching = inMemoryMatching();
    const stored = someEvidence({ reference: 'INV-1' });
    const text = someEvidence({ reference: 'INV-1', amount: amountFromWire('700'), ingestedAt: after(3) });
    matching.deliver(intentArrives(anIntent()), smsArrives(stored));
    matching.deliver(signalsChange(stored, ['trx_id_time']));

    matching.deliver(smsArrives(text));

    expect([matching.match(stored).status, matching.match(text).status]).toEqual(['MATCHED', 'DUPLICATE']);
  });
});

describe('an SMS that leads to no intent', () => {
  it('waits, and is decided when its intent arrives', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    matching.deliver(smsArrives(sms));
    expect(matching.match(sms)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found' });

    matching.deliver(intentArrives(intent));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.decisions.map(({ sms: part }) => part)).toMatchObject([
      { status: 'MATCH_PENDING', sequence: 1 },
      { status: 'MATCHED', sequence: 2 },
    ]);
  });

  it('without a reference never pays an intent by its amount alone', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence();

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('PENDING');
    expect(matching.match(sms)).toMatchObject({ status: 'PENDING', reason: 'no_reference' });
  });

  it('is decided again when the customer chooses the method it came by', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({
      reference: 'INV-1',
      provider: 'NAGAD',
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });
    matching.deliver(intentArrives(intent), smsArrives(sms));
    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');
    const chosen = [
      ...intent.shownReceivers,
      { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const },
    ];

    matching.deliver(intentArrives({ ...intent, sourceSequence: 2, shownReceivers: chosen }));

    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('expires at the end of the match window; afterwards only a person links it', () => {
    const matching = inMemoryMatching();
    const sms = someEvidence({ reference: 'INV-1' });
    matching.deliver(smsArrives(sms));

    matching.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });
    expect(matching.match(sms)).toMatchObject({ status: 'EXPIRED', reason: 'match_window_over' });
    expect(matching.decisions.at(-1)).toMatchObject({ intent: undefined, sms: { status: 'MATCH_PENDING' } });

    const intent = anIntent();
    matching.deliver(intentArrives(intent));
    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'match_window_over' });
  });

  it('by a method that is not enabled fails', () => {
    const matching = inMemoryMatching({ ...TERMS, enabledMethods: new Set<PaymentMethod>() });
    const sms = someEvidence({ reference: 'INV-1' });

    matching.deliver(intentArrives(anIntent()), smsArrives(sms));

    expect(matching.match(sms)).toMatchObject({ status: 'FAILED', reason: 'method_not_allowed' });
    expect(matching.decisions).toMatchObject([{ sms: { status: 'FAILED' } }]);
  });

  it('that cannot be parsed is stored and never becomes evidence', () => {
    const matching = inMemoryMatching();
    const smsEventId = someEvidence().smsEventId;

    matching.deliver({
      kind: 'unparsed',
      tenant: SHOP,
      smsEventId,
      ingestedAt: TEN,
      reason: 'not_incoming',
      sequence: 1,
    });

    expect(matching.match({ smsEventId })).toMatchObject({ status: 'UNPARSED', reason: 'not_incoming' });
    expect(matching.all().evidence).toEqual([]);
  });

  it('that a later parser can parse is decided then', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    matching.deliver(intentArrives(intent));
    matching.deliver({
      kind: 'unparsed',
      tenant: SHOP,
      smsEventId: sms.smsEventId,
      ingestedAt: TEN,
      reason: 'unknown',
      sequence: 1,
    });

    matching.deliver(smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', smsSequence: 2 });
  });
});
