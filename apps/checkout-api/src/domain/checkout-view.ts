import {
  DEFAULT_BRANDING,
  DEFAULT_CHECKOUT_RULES,
  NO_SUPPORT_CONTACT,
  paymentMethodSchema,
  type CheckoutView,
  type MerchantFact,
  type PaymentMethod,
  type ReceiverAccountFact,
} from '@pay/contracts';
import type { IntentCopy } from './intent-copy';
import { redirectAfter } from './redirect';

export interface ViewFacts {
  readonly merchant: MerchantFact | undefined;
  readonly accounts: readonly ReceiverAccountFact[];
  /** Whether a submitted TrxID has no final decision. */
  readonly claimWaits: boolean;
  /** By receiver account. Missing if the state of its phone is unknown. */
  readonly online: ReadonlyMap<string, boolean>;
  readonly now: Date;
}

/**
 * The data of an intent that its customer may see. Fields are listed one by one, so that no field is exposed by
 * accident.
 */
export function checkoutView(copy: IntentCopy, facts: ViewFacts): CheckoutView {
  const { intent, environment } = copy;
  return {
    id: intent.id,
    amount: intent.amount,
    currency: intent.currency,
    status: intent.status,
    environment,
    customerReference: intent.customerReference,
    merchantReference: intent.merchantReference,
    paymentMethod: intent.paymentMethod,
    paymentMethods: choosableMethods(copy, facts),
    receiverMsisdn: intent.receiverMsisdn,
    receiverOnline: intent.receiverAccountId === null ? null : (facts.online.get(intent.receiverAccountId) ?? null),
    merchantName: facts.merchant?.name ?? null,
    branding: facts.merchant?.branding ?? DEFAULT_BRANDING,
    support: facts.merchant?.support ?? NO_SUPPORT_CONTACT,
    language: intent.language,
    claim: facts.claimWaits && intent.status !== 'PAID' && intent.status !== 'REJECTED' ? 'waiting' : 'none',
    payerDigitsRequired: (facts.merchant?.checkout ?? DEFAULT_CHECKOUT_RULES).requirePayerDigits,
    paidAt: intent.status === 'PAID' ? intent.paidAt : null,
    trxId: intent.status === 'PAID' ? (copy.paidTrxId ?? null) : null,
    redirectUrl: redirectAfter(intent, intent.status),
    expiresAt: intent.expiresAt,
    serverTime: facts.now.toISOString(),
  };
}

/** The methods that the customer can choose: none after the intent is settled, one if the merchant fixed it. */
function choosableMethods({ intent }: IntentCopy, { merchant, accounts }: ViewFacts): PaymentMethod[] {
  if (intent.status !== 'PENDING') return [];
  if (intent.methodFixed) return intent.paymentMethod === null ? [] : [intent.paymentMethod];
  return paymentMethodSchema.options.filter(
    (method) =>
      merchant?.enabledMethods.includes(method) === true &&
      accounts.some((account) => account.isActive && account.paymentMethod === method),
  );
}
