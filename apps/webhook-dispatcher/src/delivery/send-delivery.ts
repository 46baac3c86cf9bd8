import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLoss } from '@pay/persistence';
import { failpoint, type SecretBox } from '@pay/runtime';
import type { WebhookClient, WebhookResponse } from '../adapters/webhook-client';
import type { LeasedDelivery } from './delivery-repository';
import type { DispatcherMetrics } from './dispatcher-metrics';
import { LEASE_SECONDS, settle, type Settlement } from '../domain/delivery';
import { parseRetryAfter } from '../domain/retry-after';
import type { AttemptReport, Recorded } from './record-attempts';
import type { PendingSend, Waiting } from './pending-send';
import { signRequest } from '../adapters/sign-request';
import type { ServiceDeps } from '../service-deps';

const RECORD_RETRY_MS = 500;

export interface SendDeps extends Pick<ServiceDeps, 'log' | 'now'> {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly record: (report: AttemptReport) => Promise<Recorded>;
  readonly metrics: DispatcherMetrics;
  readonly timeScale: number;
  readonly random: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/**
 * The slot is free after the response, the lease ends after the record. Neither promise rejects, because a failed
 * request is an outcome.
 */
export function sendDelivery(deps: SendDeps, delivery: LeasedDelivery): PendingSend<LeasedDelivery> {
  const startedAt = deps.clock();
  const response = post(deps, delivery);
  return {
    answered: response.then(({ outcome, totalMs }) => ({ ok: outcome === 'SUCCESS', ms: totalMs })),
    recorded: response.then((given) => conclude(deps, delivery, given, startedAt)),
  };
}

/** Excludes deliveries that waited for their endpoint, and those of recoveries and requested attempts. */
function countsForLatency({ attempt, trigger, isFailing, recoveredAt, occurredAt }: LeasedDelivery): boolean {
  return attempt === 1 && trigger === 'schedule' && !isFailing && (recoveredAt === null || recoveredAt <= occurredAt);
}

type Given = WebhookResponse & { readonly sentAt?: Date };

async function post(deps: SendDeps, delivery: LeasedDelivery): Promise<Given> {
  const { id, url, environment, body, endpointId, sealedSecret, nextSealedSecret, onFreshSocket = false } = delivery;
  try {
    await failpoint('webhook.before-send');
    const now = deps.now();
    const secrets = [deps.secrets.open(endpointId, sealedSecret)];
    if (nextSealedSecret !== null) secrets.push(deps.secrets.open(endpointId, nextSealedSecret));
    const headers = signRequest(delivery, secrets, now);
    if (countsForLatency(delivery))
      deps.metrics.firstAttempt(environment, (now.getTime() - delivery.occurredAt.getTime()) / 1_000);
    return { ...(await deps.client.post({ url, environment, headers, body, onFreshSocket })), sentAt: now };
  } catch (error) {
    deps.log.error({ err: error, deliveryId: id, endpointId }, 'delivery.not_sent');
    return { outcome: 'INTERNAL', totalMs: 0 };
  }
}

async function conclude(
  deps: SendDeps,
  delivery: LeasedDelivery,
  response: Given,
  startedAt: number,
): Promise<Waiting<LeasedDelivery> | undefined> {
  const answeredAt = deps.clock();
  await failpoint('webhook.before-record');
  const isProbe = delivery.trigger === 'probe';
  const settlement = settle({
    environment: delivery.environment,
    attempt: Math.max(1, delivery.attempt - delivery.scheduleFrom),
    outcome: response.outcome,
    retryAfterSeconds: parseRetryAfter(response.retryAfter, deps.now()),
    earlyFailures: delivery.earlyFailures,
    isProbe,
    random: deps.random(),
  });
  const waits = waitsOf(settlement, deps.timeScale);
  const report = reportOf(delivery, response, { status: settlement.status, isProbe, ...waits });
  const recorded = await recordWhileLeased(deps, report, startedAt);
  const stored = recorded?.stored;
  const { internal = response } = response;
  deps.metrics.attempted(delivery.environment, internal.outcome, response.totalMs / 1_000);
  deps.log.info(
    {
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      paymentIntentId: delivery.paymentIntentId,
      eventType: delivery.eventType,
      attempt: delivery.attempt,
      outcome: internal.outcome,
      ...(response.internal?.detail !== undefined && { detail: response.internal.detail }),
      httpStatus: response.httpStatus,
      durationMs: response.totalMs,
      ...(stored === undefined ? { isRecorded: false } : { status: stored.status }),
      ...(typeof stored?.waitSeconds === 'number' && {
        nextAttemptInSeconds: Math.round(stored.waitSeconds * 10) / 10,
      }),
    },
    'delivery.attempted',
  );
  if (recorded?.switchedOff) deps.log.warn({ endpointId: delivery.endpointId }, 'endpoint.switched_off');
  if (settlement.status !== 'AGAIN' || stored === undefined) return undefined;
  const { attempt, scheduleFrom } = delivery;
  const item = { ...delivery, attempt: attempt + 1, scheduleFrom: scheduleFrom + 1, onFreshSocket: true };
  return { item, leasedAt: answeredAt };
}

type Waits = Pick<AttemptReport, 'waitSeconds' | 'askedSeconds' | 'earlyWaitSeconds' | 'earlyFailures'>;
const NO_WAITS: Waits = { waitSeconds: null, askedSeconds: 0, earlyWaitSeconds: null, earlyFailures: null };

function waitsOf(settlement: Settlement, timeScale: number): Waits {
  if (settlement.status !== 'RETRYING') return NO_WAITS;
  const { waitSeconds, askedSeconds, earlyWaitSeconds, earlyFailures } = settlement;
  return {
    waitSeconds: waitSeconds * timeScale,
    askedSeconds: askedSeconds * timeScale,
    earlyWaitSeconds: earlyWaitSeconds === null ? null : earlyWaitSeconds * timeScale,
    earlyFailures,
  };
}

function reportOf(
  delivery: LeasedDelivery,
  response: Given,
  settled: Waits & Pick<AttemptReport, 'status' | 'isProbe'>,
): AttemptReport {
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    url: delivery.url,
    attempt: delivery.attempt,
    wasGone: delivery.goneAt !== null,
    isFailing: delivery.isFailing,
    outcome: response.outcome,
    httpStatus: response.httpStatus ?? null,
    detail: response.detail ?? null,
    headersMs: response.headersMs ?? null,
    totalMs: response.totalMs,
    response: response.response ?? null,
    responseHeaders: response.headers === undefined ? null : JSON.stringify(response.headers),
    sentAt: response.sentAt ?? null,
    ...settled,
  };
}

/**
 * While the database is unavailable, the result is kept until the lease ends. Then another process sends the delivery
 * again.
 */
async function recordWhileLeased(
  deps: SendDeps,
  report: AttemptReport,
  startedAt: number,
): Promise<Recorded | undefined> {
  for (;;) {
    try {
      return await deps.record(report);
    } catch (error) {
      const isOver = deps.clock() - startedAt > LEASE_SECONDS * 1_000;
      if (isOver || !isConnectionLoss(error)) {
        deps.log.error({ err: error, deliveryId: report.deliveryId, attempt: report.attempt }, 'delivery.not_recorded');
        return undefined;
      }
      await delay(RECORD_RETRY_MS);
    }
  }
}
