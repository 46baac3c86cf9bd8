import type { IntentSnapshot, PaymentMethod, ReceiverAccountFact, ShownReceiver } from '@pay/contracts';
import type { StoredIntent } from './stored-intent';

export type MethodRefusal = 'METHOD_FIXED' | 'INTENT_EXPIRED' | 'INTENT_NOT_PENDING';

/** Undefined if the method can be chosen. */
export function refuseMethodChoice(
  { status, methodFixed, expiresAt }: IntentSnapshot,
  now: Date,
): MethodRefusal | undefined {
  if (methodFixed) return 'METHOD_FIXED';
  if (status === 'EXPIRED') return 'INTENT_EXPIRED';
  if (status !== 'PENDING') return 'INTENT_NOT_PENDING';
  return Date.parse(expiresAt) <= now.getTime() ? 'INTENT_EXPIRED' : undefined;
}

/**
 * A customer who changes back to a method must see the same number, so an active receiver that was shown before is
 * preferred.
 */
export function receiverShownBefore(
  { shownReceivers }: IntentSnapshot,
  method: PaymentMethod,
  accounts: readonly ReceiverAccountFact[],
): ReceiverAccountFact | undefined {
  const shown = shownReceivers.filter(({ paymentMethod }) => paymentMethod === method).toReversed();
  for (const { receiverAccountId, receiverMsisdn } of shown) {
    const account = accounts.find(({ id }) => id === receiverAccountId);
    if (account?.isActive === true && account.msisdn === receiverMsisdn) return account;
  }
  return undefined;
}

/** Earlier receivers stay in the list, because a payment to any of them counts. */
export function withReceiver(stored: StoredIntent, { id, paymentMethod, msisdn }: ReceiverAccountFact): StoredIntent {
  const { intent } = stored;
  const isShown = intent.shownReceivers.some(
    (shown) => shown.receiverAccountId === id && shown.receiverMsisdn === msisdn,
  );
  const shown: ShownReceiver = { receiverAccountId: id, paymentMethod, receiverMsisdn: msisdn };
  return {
    ...stored,
    sequence: stored.sequence + 1,
    intent: {
      ...intent,
      paymentMethod,
      receiverMsisdn: msisdn,
      receiverAccountId: id,
      shownReceivers: isShown ? intent.shownReceivers : [...intent.shownReceivers, shown],
    },
  };
}
