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
  /** Key: receiver account. Accounts whose phone has no known state are missing. */
  readonly online: ReadonlyMap<string, boolean>;
  readonly now: Date;
}

/** Copied field by field, so that a new field of an intent is not exposed by accident. */
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
 * These outcomes depend on SMS of other wallets or orders, which the customer must not learn about. They share one
 * state.
 */
const UNSEEN: ReadonlySet<ClaimOutcome> = new Set(['waiting', 'not_found', 'intent_expired', 'intent_not_pending']);

function claimState(status: IntentStatus, outcomes: readonly ClaimOutcome[]): CheckoutView['claim'] {
  if (status === 'PAID' || status === 'REJECTED' || status === 'FAILED') return 'none';
  if (outcomes.some((outcome) => UNSEEN.has(outcome))) return status === 'EXPIRED' ? 'late' : 'waiting';
  // The decision about a claim may arrive before the status that it causes.
  const changesStatus = outcomes.includes('matched') || outcomes.includes('amount_mismatch');
  return outcomes.includes('duplicate_trx_id') && !changesStatus ? 'used' : 'none';
}

/** Empty for a settled intent. One method if the merchant fixed it. */
function choosableMethods({ intent }: IntentCopy, { merchant, accounts }: ViewFacts): PaymentMethod[] {
  if (intent.status !== 'PENDING') return [];
  if (intent.methodFixed) return intent.paymentMethod === null ? [] : [intent.paymentMethod];
  return paymentMethodSchema.options.filter(
    (method) =>
      merchant?.enabledMethods.includes(method) === true &&
      accounts.some((account) => account.isActive && account.paymentMethod === method),
  );
}
