import {
  auditedPaymentsSchema,
  missingDeliveriesSchema,
  PAYMENT_AUDIT_PAGE,
  paymentDigestsSchema,
  type PaymentAuditRange,
  type Tenant,
} from '@pay/contracts';
import type { Peer, Peers } from '../clients/service-clients';
import {
  comparePayments,
  tenantsThatDiffer,
  type AuditedPayment,
  type ByStage,
  type PaymentMismatch,
} from '../domain/payment-audit';

export type AuditedServices = Pick<Peers, 'reconciler' | 'intentApi' | 'webhookDispatcher'>;

/** `payments` compares decisions with intents. */
export type AuditPart = 'payments' | 'feed' | 'deliveries';

/**
 * Throws ServiceCallFailed if a service does not respond, because an audit of the others would report false findings.
 * Parts of which retention has deleted rows in the range are skipped and added to `leaveOut`.
 */
export async function findMismatches(
  services: AuditedServices,
  range: PaymentAuditRange,
  leaveOut: (part: AuditPart) => void = () => undefined,
): Promise<PaymentMismatch[]> {
  const owners = ownersOf(services);
  const query = new URLSearchParams({ from: range.from, to: range.to }).toString();
  const digestsOf = async (owner: Peer) => {
    const path = `/internal/v1/payment-audit/digests?${query}`;
    return owner.request('GET', path, { schema: paymentDigestsSchema });
  };
  const [decisions, intents, feed, missing] = await Promise.all([
    digestsOf(owners.decisions),
    digestsOf(owners.intents),
    digestsOf(owners.feed),
    owners.feed.request('GET', `/internal/v1/payment-audit/missing-deliveries?${query}`, {
      schema: missingDeliveriesSchema,
    }),
  ]);
  const isKept = ({ keptSince }: { readonly keptSince: string }) => new Date(range.from) >= new Date(keptSince);
  const parts = { payments: isKept(decisions) && isKept(intents), feed: isKept(feed), deliveries: isKept(missing) };
  for (const part of ['payments', 'feed', 'deliveries'] as const) if (!parts[part]) leaveOut(part);
  const mismatches: PaymentMismatch[] = [];
  if (parts.payments) {
    // The feed was truncated by retention and is not compared, so the intents replace its part.
    const stages = parts.feed ? owners : { ...owners, feed: owners.intents };
    const digests = {
      decisions: decisions.digests,
      intents: intents.digests,
      feed: (parts.feed ? feed : intents).digests,
    };
    for (const tenant of tenantsThatDiffer(digests)) mismatches.push(...(await compareTenant(stages, tenant, range)));
  }
  const reported = new Set(mismatches.map(({ paymentIntentId }) => paymentIntentId));
  for (const payment of parts.deliveries ? missing.payments : []) {
    if (!reported.has(payment.paymentIntentId)) mismatches.push({ kind: 'missing_deliveries', ...payment });
  }
  return mismatches;
}

function ownersOf({ reconciler, intentApi, webhookDispatcher }: AuditedServices): ByStage<Peer> {
  return { decisions: reconciler, intents: intentApi, feed: webhookDispatcher };
}

async function compareTenant(
  owners: ByStage<Peer>,
  tenant: Tenant,
  range: PaymentAuditRange,
): Promise<PaymentMismatch[]> {
  const [decisions, intents, feed] = await Promise.all([
    listPayments(owners.decisions, tenant, range),
    listPayments(owners.intents, tenant, range),
    listPayments(owners.feed, tenant, range),
  ]);
  const decisionsElsewhere = await findPayments(owners.decisions, tenant, onlyIn(intents, decisions));
  const intentsElsewhere = await findPayments(owners.intents, tenant, onlyIn(decisions, intents));
  return comparePayments(tenant, {
    decisions: [...without(decisions, intentsElsewhere), ...atTimesOf(intents, decisionsElsewhere)],
    intents,
    feed,
  });
}

const FIND_BATCH = 500;

/**
 * A decision that was lost and made again has a later time than its intent and feed entry. The payment is then compared
 * in the slice of its intent.
 */
async function findPayments(
  owner: Peer,
  tenant: Tenant,
  intentIds: readonly string[],
): Promise<readonly AuditedPayment[]> {
  const payments: AuditedPayment[] = [];
  for (let start = 0; start < intentIds.length; start += FIND_BATCH) {
    const body = { paymentIntentIds: intentIds.slice(start, start + FIND_BATCH) };
    const path = '/internal/v1/payment-audit/find-payments';
    const found = await owner.request('POST', path, { schema: auditedPaymentsSchema, tenant, body, idempotent: true });
    payments.push(...found.payments);
  }
  return payments;
}

/** Findings are checked again in the slice of their time, so the other records get the time that is compared here. */
function atTimesOf(some: readonly AuditedPayment[], others: readonly AuditedPayment[]): AuditedPayment[] {
  const times = new Map(some.map(({ paymentIntentId, decidedAt }) => [paymentIntentId, decidedAt]));
  return others.map((other) => ({ ...other, decidedAt: times.get(other.paymentIntentId) ?? other.decidedAt }));
}

function onlyIn(some: readonly AuditedPayment[], others: readonly AuditedPayment[]): string[] {
  const known = new Set(others.map(({ paymentIntentId }) => paymentIntentId));
  return some.map(({ paymentIntentId }) => paymentIntentId).filter((id) => !known.has(id));
}

function without(some: readonly AuditedPayment[], others: readonly AuditedPayment[]): readonly AuditedPayment[] {
  const ids = new Set(others.map(({ paymentIntentId }) => paymentIntentId));
  return some.filter(({ paymentIntentId }) => !ids.has(paymentIntentId));
}

async function listPayments(
  owner: Peer,
  tenant: Tenant,
  { from, to }: PaymentAuditRange,
): Promise<readonly AuditedPayment[]> {
  const payments: AuditedPayment[] = [];
  for (let after: string | undefined; ;) {
    const query = new URLSearchParams({ from, to, ...(after !== undefined && { after }) }).toString();
    const path = `/internal/v1/payment-audit/payments?${query}`;
    const page = (await owner.request('GET', path, { schema: auditedPaymentsSchema, tenant })).payments;
    payments.push(...page);
    if (page.length < PAYMENT_AUDIT_PAGE) return payments;
    after = page.at(-1)?.paymentIntentId;
  }
}
