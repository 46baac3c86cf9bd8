import { type PaymentMethod } from '@pay/contracts';
import {
  after,
  anIntent,
  intentArrives,
  NAGAD_WALLET,
  SANDBOX_SHOP,
  SHOP,
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
