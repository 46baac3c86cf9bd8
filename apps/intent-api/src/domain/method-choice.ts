import type { IntentSnapshot, PaymentMethod, ReceiverAccountFact, ShownReceiver } from '@pay/contracts';
import type { StoredIntent } from './stored-intent';

export type MethodRefusal = 'METHOD_FIXED' | 'INTENT_EXPIRED' | 'INTENT_NOT_PENDING';

/** Why the method of an intent can no longer be chosen; undefined if it can. */
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
 * The last receiver of the method that was shown to this customer and is still active, so that a customer who changes
 * back sees the same number.
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

/** The intent with this receiver shown. Earlier receivers stay in the list, because money to any of them counts. */
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
