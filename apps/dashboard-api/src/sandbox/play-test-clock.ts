import { setTimeout as delay } from 'node:timers/promises';
import {
  lastExpirySchema,
  MOST_INTENTS_ASKED,
  movedExpiriesSchema,
  movedWindowsSchema,
  playedDeliveriesSchema,
  unsettledIntentsSchema,
  type TestClockWait,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import type { z } from 'zod';
import type { Peer, Peers } from '../clients/service-clients';
import {
  beginClockStep,
  findClock,
  finishClockStep,
  noteClockWait,
  takeClockLeftAlone,
  type ClockStep,
} from './test-clock-repository';
import type { ServiceDeps } from '../service-deps';

export interface PlayTestClockDeps
  extends Pick<Peers, 'intentApi' | 'reconciler' | 'webhookDispatcher'>, Pick<ServiceDeps, 'db' | 'log' | 'newId'> {}

const POLL_MS = 50;
/** Idle time after which the worker continues an advance. */
const LEFT_ALONE_MS = 2_000;
const WORKER_SHARE_MS = 20_000;

/**
 * Plays the advance until it is complete or the time limit is reached. Several processes may play it concurrently,
 * because a service applies each step once.
 */
export async function playTestClock(deps: PlayTestClockDeps, merchantId: string, longestMs: number): Promise<void> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    const clock = await findClock(deps.db, merchantId);
    if (clock === undefined || clock.leftMs === 0) return;
    const waitsFor = await playOn(deps, merchantId, clock.leftMs, clock.step);
    if (waitsFor === undefined) continue;
    await noteClockWait(deps.db, merchantId, waitsFor);
    if (performance.now() >= deadline) return;
    await delay(POLL_MS);
  }
}

/** Continues advances whose process died or whose request timed out. */
export async function playClocksLeftAlone(deps: PlayTestClockDeps): Promise<void> {
  const clock = await takeClockLeftAlone(deps.db, LEFT_ALONE_MS);
  if (clock !== undefined) await playTestClock(deps, clock.merchantId, WORKER_SHARE_MS);
}

/** One round: begins, continues or finishes a step. Returns what the step waits for, or undefined after progress. */
async function playOn(
  deps: PlayTestClockDeps,
  merchantId: string,
  leftMs: number,
  step: ClockStep | undefined,
): Promise<TestClockWait | undefined> {
  try {
    if (step === undefined) {
      // Stops at the last expiry, so that the remaining time is left for the webhook retries that it causes.
      const milliseconds = (await lastExpiryWithin(deps, merchantId, leftMs)) ?? leftMs;
      await beginClockStep(deps.db, merchantId, { id: deps.newId(), milliseconds });
      return undefined;
    }
    const waitsFor = await playStep(deps, merchantId, step);
    if (waitsFor === undefined) await finishClockStep(deps.db, merchantId, step.id);
    return waitsFor;
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    deps.log.warn({ err: error, merchantId, stepId: step?.id }, 'test_clock.service_not_reached');
    return 'services';
  }
}

/**
 * Order: decides received SMS and claims, plays due deliveries, expires intents at the end. Every call can be repeated.
 */
async function playStep(
  deps: PlayTestClockDeps,
  merchantId: string,
  step: ClockStep,
): Promise<TestClockWait | undefined> {
  const intake = await applyStep(deps.reconciler, merchantId, step, movedWindowsSchema);
  if (!intake.isDone) return 'intake';
  const played = await applyStep(deps.webhookDispatcher, merchantId, step, playedDeliveriesSchema);
  if (played.millisecondsLeft > 0 || played.due > 0) return 'webhooks';
  const { expiring, pending } = await applyStep(deps.intentApi, merchantId, step, movedExpiriesSchema);
  if (pending > 0) return 'expiry';
  return (await areSettled(deps, merchantId, expiring)) ? undefined : 'webhooks';
}

const tenantOf = (merchantId: string) => ({ merchantId, environment: 'SANDBOX' }) as const;
const bodyOf = ({ id: stepId, milliseconds }: ClockStep) => ({ stepId, milliseconds });
const STEPS = '/internal/v1/test-clock/steps';

async function lastExpiryWithin({ intentApi }: PlayTestClockDeps, merchantId: string, within: number) {
  const path = `/internal/v1/test-clock/last-expiry?within=${within}`;
  return (await intentApi.request('GET', path, { schema: lastExpirySchema, tenant: tenantOf(merchantId) }))
    .milliseconds;
}

/** The service applies the step once, however often it is asked. */
function applyStep<T>(peer: Peer, merchantId: string, step: ClockStep, schema: z.ZodType<T>): Promise<T> {
  return peer.request('POST', STEPS, { schema, tenant: tenantOf(merchantId), body: bodyOf(step), idempotent: true });
}

async function areSettled(
  { webhookDispatcher }: PlayTestClockDeps,
  merchantId: string,
  intentIds: readonly string[],
): Promise<boolean> {
  for (let from = 0; from < intentIds.length; from += MOST_INTENTS_ASKED) {
    const { unsettled } = await webhookDispatcher.request('POST', '/internal/v1/test-clock/unsettled-intents', {
      schema: unsettledIntentsSchema,
      tenant: tenantOf(merchantId),
      idempotent: true,
      body: { intentIds: intentIds.slice(from, from + MOST_INTENTS_ASKED) },
    });
    if (unsettled > 0) return false;
  }
  return true;
}
