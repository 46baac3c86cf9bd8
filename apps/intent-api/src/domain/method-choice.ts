import type { IntentSnapshot, PaymentMethod, ReceiverAccountFact, ShownReceiver } from '@pay/contracts';
import type { StoredIntent } from './stored-intent';

export type MethodRefusal = 'METHOD_FIXED' | 'INTENT_EXPIRED' | 'INTENT_NOT_PENDING';

/** Why the method of an intent can no longer be chosen; undefined when it can. */
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
 * The receiver of the method that this intent's customer has been shown before, if money still arrives there: who goes
 * back and forth sees the same number again. Of several the last one.
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

/** The intent with this receiver shown. What was shown before stays: money to any of them counts. */
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
