import { createIntentRequestSchema, type IntentSnapshot, type ReceiverAccountFact } from '@pay/contracts';
import { receiverShownBefore, refuseMethodChoice, withReceiver } from './method-choice';
import { newIntent } from './new-intent';
import { UNDECIDED } from './stored-intent';

const NOW = new Date('2026-11-21T04:00:00Z');

function account(
  id: string,
  paymentMethod: ReceiverAccountFact['paymentMethod'],
  change: Partial<ReceiverAccountFact> = {},
) {
  const owned = { version: 1, deleted: false, merchantId: 'm', environment: 'LIVE' as const, isActive: true };
  return { ...owned, id, paymentMethod, msisdn: `017-${id}`, ...change };
}
const bkash = account('b', 'BKASH_SEND_MONEY');
const nagad = account('n', 'NAGAD_SEND_MONEY');

function intent(change: Partial<IntentSnapshot> = {}): IntentSnapshot {
  const request = createIntentRequestSchema.parse({ amount: 5, idempotencyKey: 'k' });
  return { ...newIntent(request, { id: 'i', now: NOW, customerReference: 'R', receiver: undefined }), ...change };
}
const stored = (snapshot: IntentSnapshot) => ({
  merchantId: 'm',
  environment: 'LIVE' as const,
  sequence: 4,
  ...UNDECIDED,
  intent: snapshot,
});

describe('the choice of a method', () => {
  it.each<[string, Partial<IntentSnapshot>, number, ReturnType<typeof refuseMethodChoice>]>([
    ['an open intent', {}, 0, undefined],
    ['one whose method the merchant fixed', { methodFixed: true }, 0, 'METHOD_FIXED'],
    ['one whose time is over', {}, 300, 'INTENT_EXPIRED'],
    ['one that expired', { status: 'EXPIRED' }, 0, 'INTENT_EXPIRED'],
    ['one that is paid', { status: 'PAID' }, 0, 'INTENT_NOT_PENDING'],
    ['one under review', { status: 'REVIEW_REQUIRED' }, 0, 'INTENT_NOT_PENDING'],
  ])('is possible or refused for %s', (_, change, seconds, refusal) => {
    expect(refuseMethodChoice(intent(change), new Date(NOW.getTime() + seconds * 1_000))).toBe(refusal);
  });

  it('adds the new receiver to the shown ones, and reuses a shown one', () => {
    const first = withReceiver(stored(intent()), bkash);
    const second = withReceiver(first, nagad);
    const third = withReceiver(second, bkash);

    expect(third.intent.shownReceivers.map(({ receiverAccountId }) => receiverAccountId)).toEqual(['b', 'n']);
    expect(third).toMatchObject({
      sequence: 7,
      intent: { paymentMethod: 'BKASH_SEND_MONEY', receiverMsisdn: bkash.msisdn },
    });
    expect(receiverShownBefore(second.intent, 'BKASH_SEND_MONEY', [account('a', 'BKASH_SEND_MONEY'), bkash])).toBe(
      bkash,
    );
  });

  it('does not reuse a shown receiver that is switched off or has another number', () => {
    const { intent: shown } = withReceiver(stored(intent()), bkash);
    const backTo = (now: ReceiverAccountFact) => receiverShownBefore(shown, 'BKASH_SEND_MONEY', [now]);

    expect(backTo({ ...bkash, isActive: false })).toBeUndefined();
    expect(backTo({ ...bkash, msisdn: '018' })).toBeUndefined();
  });
});
