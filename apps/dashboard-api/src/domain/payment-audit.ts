import type { Environment, PaymentAuditRange, PaymentAuditStage, PaymentDigests, Tenant } from '@pay/contracts';

/**
 * The mismatches that the payment audit can find in one payment.
 *
 * decision_not_applied:    the reconciler decided PAID, intent-api does not say so.
 * intent_without_decision: the intent is PAID, the reconciler has no such decision.
 * missing_in_feed:         the intent is PAID, the event feed has no `payment.paid`.
 * feed_without_intent:     the feed has `payment.paid`, the intent is not PAID.
 * amount_differs:          two of them store different amounts.
 * missing_deliveries:      fewer webhook deliveries are stored than were planned.
 */
export const PAYMENT_MISMATCHES = [
  'decision_not_applied',
  'intent_without_decision',
  'missing_in_feed',
  'feed_without_intent',
  'amount_differs',
  'missing_deliveries',
] as const;
export type PaymentMismatchKind = (typeof PAYMENT_MISMATCHES)[number];

export interface PaymentMismatch extends Tenant {
  readonly kind: PaymentMismatchKind;
  readonly paymentIntentId: string;
  readonly decidedAt: string;
}

export interface AuditedPayment {
  readonly paymentIntentId: string;
  readonly amount: string;
  readonly decidedAt: string;
}

export type ByStage<T> = Readonly<Record<PaymentAuditStage, T>>;

export function tenantsThatDiffer(digests: ByStage<PaymentDigests['digests']>): Tenant[] {
  const byTenant = new Map<string, { tenant: Tenant; stages: string[] }>();
  for (const stage of Object.values(digests)) {
    for (const { merchantId, environment, payments, amount, digest } of stage) {
      const key = `${merchantId}/${environment}`;
      const known = byTenant.get(key) ?? { tenant: { merchantId, environment }, stages: [] };
      known.stages.push(`${payments}/${amount}/${digest}`);
      byTenant.set(key, known);
    }
  }
  const stageCount = Object.keys(digests).length;
  return [...byTenant.values()]
    .filter(({ stages }) => stages.length < stageCount || new Set(stages).size > 1)
    .map(({ tenant }) => tenant);
}

/** At most one mismatch per payment: a missing stage causes all later ones. */
export function comparePayments(
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  payments: ByStage<readonly AuditedPayment[]>,
): PaymentMismatch[] {
  const byId = (stage: PaymentAuditStage) => new Map(payments[stage].map((each) => [each.paymentIntentId, each]));
  const [decisions, intents, feed] = [byId('decisions'), byId('intents'), byId('feed')];
  const ids = new Set([...decisions.keys(), ...intents.keys(), ...feed.keys()]);
  return [...ids].sort().flatMap((paymentIntentId) => {
    const [decision, intent, entry] = [decisions, intents, feed].map((stage) => stage.get(paymentIntentId));
    const kind = mismatchOf(decision, intent, entry);
    const decidedAt = (decision ?? intent ?? entry)?.decidedAt;
    if (kind === undefined || decidedAt === undefined) return [];
    return [{ kind, merchantId, environment, paymentIntentId, decidedAt }];
  });
}

function mismatchOf(
  decision: AuditedPayment | undefined,
  intent: AuditedPayment | undefined,
  entry: AuditedPayment | undefined,
): PaymentMismatchKind | undefined {
  if (intent === undefined) return decision === undefined ? 'feed_without_intent' : 'decision_not_applied';
  if (decision === undefined) return 'intent_without_decision';
  if (entry === undefined) return 'missing_in_feed';
  return decision.amount === intent.amount && intent.amount === entry.amount ? undefined : 'amount_differs';
}

const SLICE_MS = 5 * 60_000;

/** Null while the slice is not over at `end`. */
export function sliceAt(time: Date, end: Date): PaymentAuditRange {
  const from = Math.floor(time.getTime() / SLICE_MS) * SLICE_MS;
  return { from: new Date(from).toISOString(), to: new Date(Math.min(from + SLICE_MS, end.getTime())).toISOString() };
}

/** Oldest first. */
export function slicesBetween(from: Date, end: Date): PaymentAuditRange[] {
  const slices: PaymentAuditRange[] = [];
  for (let at = from.getTime(); at < end.getTime(); at = (Math.floor(at / SLICE_MS) + 1) * SLICE_MS) {
    slices.push(sliceAt(new Date(at), end));
  }
  return slices;
}

export { SLICE_MS };
