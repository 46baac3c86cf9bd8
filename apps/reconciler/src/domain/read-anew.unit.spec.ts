import { amountFromWire, referenceKey } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  readAgain,
  SHOP,
  smsArrives,
  someEvidence,
  unparsedArrives,
} from '../../test/builders';
import { pureWorld } from '../../test/pure-world';

const INV_1 = referenceKey('INV-1');

describe('a text that a later parser reads anew', () => {
  it('is judged as new: the reference found by it pays the intent', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();
    world.deliver(intentArrives(intent), smsArrives(sms));
    expect(world.match(sms).status).toBe('PENDING');

    world.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', smsSequence: 2, factsSequence: 2 });
  });

  it('changes nothing when its reading is older, or told twice', () => {
    const world = pureWorld();
    const first = someEvidence({ reference: 'INV-1' });
    const second = readAgain(first, { amount: amountFromWire('499') });
    const unparsed = unparsedArrives(first);

    world.deliver(smsArrives(second), smsArrives(first));
    world.deliver(smsArrives(second), smsArrives(first), unparsed);

    expect(world.rulings).toHaveLength(1);
    expect(world.evidence(first.smsEventId).amount).toBe(second.amount);
  });

  it('keeps the newest reading when both come in one batch', () => {
    const world = pureWorld();
    const first = someEvidence();

    world.deliver(smsArrives(readAgain(first, { referenceKey: INV_1 })), smsArrives(first));

    expect(world.match(first)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found', factsSequence: 2 });
  });

  it('stays what it was when it has paid', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(intentArrives(intent), smsArrives(sms));

    world.deliver(smsArrives(readAgain(sms, { amount: amountFromWire('499'), trxId: 'OTHER12345' })));

    expect(world.evidence(sms.smsEventId)).toEqual({ ...sms, state: 'USED' });
    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
  });

  it('that led to an intent by mistake leads nowhere afterwards', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', amount: amountFromWire('499') });
    world.deliver(intentArrives(intent), smsArrives(sms));
    expect(world.match(sms).status).toBe('REVIEW_REQUIRED');

    world.deliver(smsArrives(readAgain(sms, { referenceKey: referenceKey('INV-7') })));

    expect(world.match(sms)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found', intentId: undefined });
    expect(world.evidence(sms.smsEventId).state).toBe('WAITING');
  });

  it('is late or not by when it came in, not by when it was understood', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();
    world.deliver(intentArrives(intent), smsArrives(sms));

    world.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1, ingestedAt: after(60) })));

    expect(world.intent(intent.id).status).toBe('PAID');
  });

  it('for an intent that has expired meanwhile is money paid in time and reported late', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();
    world.deliver(intentArrives(intent), unparsedArrives(sms), expires(intent));

    world.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(world.intent(intent.id).status).toBe('EXPIRED');
    expect(world.match(sms)).toMatchObject({ reason: 'late_payment', paidInTime: true });
  });

  it('frees the TrxID that it was thought to have, and its claimant waits again', () => {
    const world = pureWorld();
    const intent = anIntent();
    const misread = someEvidence({ trxId: 'DKL4A1B2C0', amount: amountFromWire('499') });
    const claim = claimArrives(intent.id, 'DKL4A1B2C0');
    world.deliver(intentArrives(intent), smsArrives(misread), claim);
    expect(world.claim(claim.claim.id).outcome).toBe('amount_mismatch');

    world.deliver(smsArrives(readAgain(misread, { trxId: 'DKL4A1B2CO' })));
    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'waiting', smsEventId: undefined });

    world.deliver(smsArrives(someEvidence({ trxId: 'DKL4A1B2C0' })));
    expect(world.intent(intent.id).status).toBe('PAID');
  });

  it('whose TrxID turns out to be one that was seen before is a duplicate and no evidence any more', () => {
    const world = pureWorld();
    const first = someEvidence();
    const misread = someEvidence({ trxId: 'DKL4A1B2C4' });
    world.deliver(smsArrives(first), smsArrives(misread));

    world.deliver(smsArrives(readAgain(misread, { trxId: first.trxId })));

    expect(world.match(misread)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(world.all().evidence.map(({ smsEventId }) => smsEventId)).toEqual([first.smsEventId]);
  });

  it('after its match window stays with a person', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();
    world.deliver(intentArrives(intent), smsArrives(sms));
    world.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });

    world.deliver(smsArrives(readAgain(sms, { referenceKey: INV_1 })));

    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'match_window_over' });
    expect(world.evidence(sms.smsEventId).state).toBe('LAPSED');
  });

  it('that is still not understood gives the newest reason', () => {
    const world = pureWorld();
    const sms = someEvidence();
    const later = unparsedArrives(sms, 2, 'failed_payment');

    world.deliver(later, unparsedArrives(sms, 1));

    expect(world.match(sms)).toMatchObject({ status: 'UNPARSED', reason: 'failed_payment' });
  });
});
