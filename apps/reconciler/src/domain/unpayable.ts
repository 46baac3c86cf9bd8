import type { IntentFailureReason, PaymentMethod } from '@pay/contracts';
import type { Intent } from './facts';

/** The known ways to pay a merchant in one environment. */
export interface Ways {
  readonly merchantIsActive: boolean;
  readonly enabledMethods: ReadonlySet<PaymentMethod>;
  readonly activeReceivers: ReadonlyMap<string, PaymentMethod>;
  /** An unknown receiver is not closed: its record may not have arrived yet. */
  readonly isClosed: (receiverAccountId: string) => boolean;
}

/**
 * Why an intent can no longer be paid; undefined while any shown receiver, or any receiver of the merchant if no method
 * is chosen, can receive money.
 */
export function whyUnpayable(
  { shownReceivers }: Pick<Intent, 'shownReceivers'>,
  { merchantIsActive, enabledMethods, activeReceivers, isClosed }: Ways,
): IntentFailureReason | undefined {
  if (!merchantIsActive) return 'merchant_switched_off';
  const open =
    shownReceivers.length > 0
      ? shownReceivers.flatMap((shown) => (isClosed(shown.receiverAccountId) ? [] : [shown.paymentMethod]))
      : [...activeReceivers.values()];
  if (open.some((method) => enabledMethods.has(method))) return undefined;
  return open.length > 0 ? 'method_disabled' : 'receiver_switched_off';
}
