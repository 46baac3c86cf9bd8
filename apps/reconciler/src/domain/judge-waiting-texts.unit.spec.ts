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
import { pureWorld } from '../../test/pure-world';

describe('an SMS of a TrxID that was seen before', () => {
  it('is a duplicate and never evidence', () => {
    const world = pureWorld();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1' });
    const again = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    world.deliver(intentArrives(intent), smsArrives(first));

    world.deliver(smsArrives(again));

    expect(world.match(again)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(world.rulings.at(-1)).toMatchObject({ sms: { status: 'FAILED', sequence: 1 }, intent: undefined });
    expect(() => world.evidence(again.smsEventId)).toThrow();
  });

  it('is found within one batch: the one taken in first is the evidence', () => {
    const world = pureWorld();
    const first = someEvidence({ ingestedAt: after(1) });
    const again = someEvidence({ ingestedAt: after(2) });

    world.deliver(smsArrives(again), smsArrives(first));

    expect(world.match(first).status).toBe('PENDING');
    expect(world.match(again).status).toBe('DUPLICATE');
  });

  it('is no duplicate in the other environment', () => {
    const world = pureWorld();
    world.deliver(smsArrives(someEvidence()));
    const sandbox = someEvidence({ tenant: SANDBOX_SHOP });

    world.deliver(smsArrives(sandbox));

    expect(world.match(sandbox).status).toBe('PENDING');
  });

  it('changes nothing when it is the same SMS, told twice', () => {
    const world = pureWorld();
    const sms = someEvidence();

    world.deliver(smsArrives(sms), smsArrives(sms));
    world.deliver(smsArrives(sms));

    expect(world.rulings).toHaveLength(1);
    expect(world.match(sms).status).toBe('PENDING');
  });

  it('from the same sender in the same second with another TrxID is another payment', () => {
    const world = pureWorld();
    const one = someEvidence();
    const other = someEvidence({ trxId: 'DKL4A1B2C4' });

    world.deliver(smsArrives(one), smsArrives(other));

    expect([world.match(one).status, world.match(other).status]).toEqual(['PENDING', 'PENDING']);
  });
});

describe('an SMS that leads nowhere', () => {
  it('waits, and is judged when its intent arrives', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(smsArrives(sms));
    expect(world.match(sms)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found' });

    world.deliver(intentArrives(intent));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.rulings.map(({ sms: part }) => part)).toMatchObject([
      { status: 'MATCH_PENDING', sequence: 1 },
      { status: 'MATCHED', sequence: 2 },
    ]);
  });

  it('without a reference never pays an intent by its amount alone', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PENDING');
    expect(world.match(sms)).toMatchObject({ status: 'PENDING', reason: 'no_reference' });
  });

  it('is judged again when the customer chooses the method it came by', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({
      reference: 'INV-1',
      provider: 'NAGAD',
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });
    world.deliver(intentArrives(intent), smsArrives(sms));
    expect(world.match(sms).status).toBe('REVIEW_REQUIRED');
    const chosen = [
      ...intent.shownReceivers,
      { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const },
    ];

    world.deliver(intentArrives({ ...intent, sourceSequence: 2, shownReceivers: chosen }));

    expect(world.intent(intent.id).status).toBe('PAID');
  });

  it('expires with the match window, and afterwards only a person links it', () => {
    const world = pureWorld();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(smsArrives(sms));

    world.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });
    expect(world.match(sms)).toMatchObject({ status: 'EXPIRED', reason: 'match_window_over' });
    expect(world.rulings.at(-1)).toMatchObject({ intent: undefined, sms: { status: 'MATCH_PENDING' } });

    const intent = anIntent();
    world.deliver(intentArrives(intent));
    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'match_window_over' });
  });

  it('by a method that is not enabled fails', () => {
    const world = pureWorld({ ...TERMS, enabledMethods: new Set<PaymentMethod>() });
    const sms = someEvidence({ reference: 'INV-1' });

    world.deliver(intentArrives(anIntent()), smsArrives(sms));

    expect(world.match(sms)).toMatchObject({ status: 'FAILED', reason: 'method_not_allowed' });
    expect(world.rulings).toMatchObject([{ sms: { status: 'FAILED' } }]);
  });

  it('whose text is not understood is recorded and never evidence', () => {
    const world = pureWorld();
    const smsEventId = someEvidence().smsEventId;

    world.deliver({ kind: 'unparsed', tenant: SHOP, smsEventId, ingestedAt: TEN, reason: 'not_incoming', sequence: 1 });

    expect(world.match({ smsEventId })).toMatchObject({ status: 'UNPARSED', reason: 'not_incoming' });
    expect(world.all().evidence).toEqual([]);
  });

  it('and is understood by a later parser after all is judged then', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(intentArrives(intent));
    world.deliver({
      kind: 'unparsed',
      tenant: SHOP,
      smsEventId: sms.smsEventId,
      ingestedAt: TEN,
      reason: 'unknown',
      sequence: 1,
    });

    world.deliver(smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', smsSequence: 2 });
  });
});
