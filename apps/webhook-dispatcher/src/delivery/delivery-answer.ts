import type { DeliveryAttemptResponse, DeliveryDetailResponse, DeliveryResponse } from '@pay/contracts';
import type { FoundDelivery, KeptAttempt } from './delivery-detail-repository';
import type { ListedDelivery } from './delivery-list-repository';
import { shownReason, type OutcomeClass } from '../domain/outcome';
import { plainHeaders } from '../adapters/sign-request';

export function deliveryAnswer(delivery: ListedDelivery): DeliveryResponse {
  const { id, endpointId, paymentIntentId, eventType, status, attempt, statusCode, idempotencyKey } = delivery;
  return {
    id,
    endpointId,
    paymentIntentId,
    eventType,
    status,
    attempt,
    statusCode,
    idempotencyKey,
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  };
}

export function deliveryDetail(delivery: FoundDelivery, attempts: readonly KeptAttempt[]): DeliveryDetailResponse {
  return {
    ...deliveryAnswer(delivery),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    body: delivery.body,
    attempts: attempts.map((attempt) => attemptAnswer(delivery, attempt)),
  };
}

/** Attempts of earlier versions may contain internal reasons. */
export function shownOf({ outcome, detail }: Pick<KeptAttempt, 'outcome' | 'detail'>) {
  if (outcome === null) return { outcome: null, detail: null };
  const shown = shownReason({ outcome: outcome as OutcomeClass, detail: detail ?? undefined });
  return { outcome: shown.outcome, detail: shown.detail ?? null };
}

/** Headers are not stored but computed from the delivery and the time of the request. Signatures are not shown. */
function attemptAnswer(delivery: FoundDelivery, kept: KeptAttempt): DeliveryAttemptResponse {
  const { attempt, trigger, httpStatus, sentAt } = kept;
  return {
    attempt,
    trigger,
    ...shownOf(kept),
    startedAt: kept.startedAt.toISOString(),
    finishedAt: kept.finishedAt?.toISOString() ?? null,
    durationMs: kept.totalMs,
    request: { headers: sentAt === null ? {} : plainHeaders({ ...delivery, attempt }, sentAt) },
    response:
      httpStatus === null
        ? null
        : {
            statusCode: httpStatus,
            headers:
              kept.responseHeaders === null ? null : (JSON.parse(kept.responseHeaders) as Record<string, string>),
            body: kept.response,
          },
  };
}
