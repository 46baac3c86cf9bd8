import {
  internalCheckoutActivitySchema,
  internalDeliveriesSchema,
  internalEvidenceFileSchema,
  internalIntentSchema,
  type EvidenceFile,
  type EvidencePart,
  type InternalEvidenceFile,
  type InternalIntent,
  BusinessError,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import type { Peers } from '../clients/service-clients';
import { namesOf } from '../people/user-name-repository';
import type { ServiceDeps } from '../service-deps';

export interface MakeEvidenceFileDeps
  extends
    Pick<Peers, 'intentApi' | 'reconciler' | 'checkoutApi' | 'webhookDispatcher'>,
    Pick<ServiceDeps, 'db' | 'log' | 'now'> {}

type Said<T> = { readonly is: 'known'; readonly value: T } | { readonly is: 'unknown' } | { readonly is: 'silent' };

/**
 * Unavailable services are listed in `missing`. The owners of the payment and of its decision must respond, because the
 * merchant is unknown without them.
 */
export async function makeEvidenceFile(
  deps: MakeEvidenceFileDeps,
  merchantId: string,
  paymentIntentId: string,
): Promise<EvidenceFile> {
  const { intentApi, reconciler, log, now } = deps;
  const [payment, judgement] = await Promise.all([
    request(log, 'payment', () =>
      intentApi.request('GET', `/internal/v1/intents/${paymentIntentId}`, { schema: internalIntentSchema }),
    ).then((said) => (said.is === 'known' && said.value.merchantId !== merchantId ? UNKNOWN : said)),
    request(log, 'judgement', () =>
      reconciler.request('GET', `/internal/v1/payments/${paymentIntentId}/evidence-file?merchantId=${merchantId}`, {
        schema: internalEvidenceFileSchema,
      }),
    ),
  ]);
  const environment = environmentOf(payment, judgement);
  const tenant = { merchantId, environment };
  const [checkout, webhooks] = await Promise.all([
    request(log, 'checkout', () =>
      deps.checkoutApi.request('GET', `/internal/v1/checkouts/${paymentIntentId}/activity`, {
        schema: internalCheckoutActivitySchema,
        tenant,
      }),
    ),
    request(log, 'webhooks', () =>
      deps.webhookDispatcher.request('GET', `/internal/v1/deliveries?paymentIntentId=${paymentIntentId}`, {
        schema: internalDeliveriesSchema,
        tenant,
      }),
    ),
  ]);
  const parts = { payment, judgement, checkout, webhooks } satisfies Record<EvidencePart, Said<unknown>>;
  return {
    paymentIntentId,
    environment,
    madeAt: now().toISOString(),
    missing: (Object.keys(parts) as EvidencePart[]).filter((part) => parts[part].is === 'silent'),
    payment: payment.is === 'known' ? payment.value.intent : null,
    judgement: judgement.is === 'known' ? await withReviewers(deps.db, merchantId, judgement.value) : null,
    checkout: checkout.is === 'known' ? checkout.value.activity : null,
    webhooks: webhooks.is === 'known' ? webhooks.value.deliveries : null,
  };
}

const UNKNOWN = { is: 'unknown' } as const;
const SILENT = { is: 'silent' } as const;

async function request<T>(log: Logger, part: EvidencePart, ask: () => Promise<T>): Promise<Said<T>> {
  try {
    return { is: 'known', value: await ask() };
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    if (error.kind === 'rejected' && error.status === 404) return UNKNOWN;
    log.warn({ part, err: error }, 'evidence_file.part_missing');
    return SILENT;
  }
}

/** intent-api takes precedence, because the reconciler receives a new intent a moment later. */
function environmentOf(
  payment: Said<InternalIntent>,
  judgement: Said<InternalEvidenceFile>,
): InternalIntent['environment'] {
  if (payment.is === 'known') return payment.value.environment;
  if (payment.is === 'unknown') throw new BusinessError('NOT_FOUND');
  if (judgement.is === 'known') return judgement.value.environment;
  throw new BusinessError(judgement.is === 'unknown' ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE');
}

async function withReviewers(
  db: Database,
  merchantId: string,
  { environment: _environment, ...judgement }: InternalEvidenceFile,
): Promise<NonNullable<EvidenceFile['judgement']>> {
  const idOf = (decidedBy: string) => /^user:([0-9a-f-]{36})$/.exec(decidedBy)?.[1];
  const ids = judgement.decisions.flatMap(({ decidedBy }) => idOf(decidedBy) ?? []);
  const names = ids.length === 0 ? new Map<string, string>() : await namesOf(db, merchantId, [...new Set(ids)]);
  return {
    ...judgement,
    decisions: judgement.decisions.map((decision) => {
      const id = idOf(decision.decidedBy);
      return { ...decision, reviewer: id === undefined ? null : { id, name: names.get(id) ?? null } };
    }),
  };
}
