import { randomUUID } from 'node:crypto';
import {
  internalDeliveriesSchema,
  internalShopAnswerSchema,
  internalTrxIdSchema,
  movedExpiriesSchema,
  type TestWebhook,
} from '@pay/contracts';
import type { Peers } from '../../clients/service-clients';
import { setTestEndpointRule, testEndpointRequestsOf } from '../test-endpoints/test-endpoint-repository';
import type { SimulateSmsDeps } from '../simulate-sms';
import type { PlayerDeps } from './player-deps';
import { publicApi } from './public-api';
import { reviewInRun } from './review-in-run';
import { testApiKey, type TestApiKeyDeps } from './test-api-key';

export interface CreatePlayerDeps extends SimulateSmsDeps, TestApiKeyDeps, Pick<Peers, 'webhookDispatcher' | 'shops'> {
  readonly endpointsOf: PlayerDeps['endpointsOf'];
  readonly testEndpointOf: PlayerDeps['testEndpointOf'];
  /** Base URLs of public routes. */
  readonly publicUrls: { readonly intents: string; readonly checkout: string };
}

/** Longer than the maximum time to live of an intent. */
const WHOLE_TIME_MS = 25 * 60 * 60_000;

/** Runs use the public API, and internal routes only for data that no public route returns. */
export function createPlayerDeps(deps: CreatePlayerDeps): PlayerDeps {
  const { smsIngest, reconciler, intentApi, webhookDispatcher, shops, publicUrls, now } = deps;
  const sandboxOf = (merchantId: string) => ({ merchantId, environment: 'SANDBOX' }) as const;
  return {
    smsIngest,
    reconciler,
    intentApi,
    now,
    intents: publicApi(publicUrls.intents),
    checkout: publicApi(publicUrls.checkout),
    apiKeyOf: (merchantId) => testApiKey(deps, merchantId),
    newTrxId: async (merchantId, paymentMethod) => {
      const request = { schema: internalTrxIdSchema, body: { paymentMethod }, tenant: sandboxOf(merchantId) };
      return (await smsIngest.request('POST', '/internal/v1/sandbox/trx-ids', request)).trxId;
    },
    endTimeOf: async (merchantId, paymentIntentId) => {
      const body = { stepId: randomUUID(), milliseconds: WHOLE_TIME_MS, paymentIntentIds: [paymentIntentId] };
      await intentApi.request('POST', '/internal/v1/test-clock/steps', {
        schema: movedExpiriesSchema,
        body,
        tenant: sandboxOf(merchantId),
        idempotent: true,
      });
    },
    review: (run, match, action, expectedAmount) => reviewInRun(deps, run, match, action, expectedAmount),
    endpointsOf: deps.endpointsOf,
    webhooksOf: async (merchantId, paymentIntentId) => {
      const path = `/internal/v1/deliveries?paymentIntentId=${paymentIntentId}&responses=true`;
      const request = { schema: internalDeliveriesSchema, tenant: sandboxOf(merchantId) };
      const { deliveries } = await webhookDispatcher.request('GET', path, request);
      return deliveries.map(({ id, endpointId, eventType, status, attempts }): TestWebhook => ({
        id,
        endpointId,
        paymentIntentId,
        eventType,
        status,
        attempts: attempts.map(({ attempt, outcome, httpStatus, response }) => ({
          attempt,
          outcome,
          httpStatus,
          response: response ?? null,
        })),
      }));
    },
    testEndpointOf: deps.testEndpointOf,
    answerNext: async (merchantId, paymentIntentId, rule) => {
      await setTestEndpointRule(deps.db, merchantId, paymentIntentId, rule, now());
    },
    storedRequestsOf: (merchantId, paymentIntentId) => testEndpointRequestsOf(deps.db, merchantId, paymentIntentId),
    sendToShop: (merchantId, body) =>
      shops.request('POST', '/internal/v1/sandbox/shop-requests', {
        schema: internalShopAnswerSchema,
        body,
        tenant: sandboxOf(merchantId),
      }),
  };
}
