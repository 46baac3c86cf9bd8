import {
  DEFAULT_BRANDING,
  DEFAULT_CHECKOUT_RULES,
  NO_SUPPORT_CONTACT,
  paymentMethodSchema,
  type CheckoutView,
  type ClaimOutcome,
  type IntentStatus,
  type MerchantFact,
  type PaymentMethod,
  type ReceiverAccountFact,
} from '@pay/contracts';
import type { IntentCopy } from './intent-copy';
import { redirectAfter } from './redirect';

export interface ViewFacts {
  readonly merchant: MerchantFact | undefined;
  readonly accounts: readonly ReceiverAccountFact[];
  readonly claimOutcomes: readonly ClaimOutcome[];
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
    claim: claimState(intent.status, facts.claimOutcomes),
    payerDigitsRequired: (facts.merchant?.checkout ?? DEFAULT_CHECKOUT_RULES).requirePayerDigits,
    paidAt: intent.status === 'PAID' ? intent.paidAt : null,
    trxId: intent.status === 'PAID' ? (copy.paidTrxId ?? null) : null,
    redirectUrl: redirectAfter(intent, intent.status),
    expiresAt: intent.expiresAt,
    serverTime: facts.now.toISOString(),
  };
}

/**
 * Outcomes that depend on whether an SMS with the TrxID exists at another wallet or for another order. The customer
 * must not learn that, so they have one state.
 */
const UNSEEN: ReadonlySet<ClaimOutcome> = new Set(['waiting', 'not_found', 'intent_expired', 'intent_not_pending']);

/** What the customer needs to know about the submitted TrxIDs beside the status. */
function claimState(status: IntentStatus, outcomes: readonly ClaimOutcome[]): CheckoutView['claim'] {
  if (status === 'PAID' || status === 'REJECTED' || status === 'FAILED') return 'none';
  if (outcomes.some((outcome) => UNSEEN.has(outcome))) return status === 'EXPIRED' ? 'late' : 'waiting';
  // The decision about a claim may arrive before the status that results from it.
  const changesStatus = outcomes.includes('matched') || outcomes.includes('amount_mismatch');
  return outcomes.includes('duplicate_trx_id') && !changesStatus ? 'used' : 'none';
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
