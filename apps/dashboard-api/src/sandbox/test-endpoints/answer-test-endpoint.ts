import { isStorableText, toStorableText, type EndpointRequest } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import { verifyWebhook, WebhookVerificationError } from '@pay/signing';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { TestEndpointLimits } from '../limit-sandbox';
import { delayedAnswers } from './delayed-answers';
import {
  deleteOldestRequests,
  insertTestEndpointRequest,
  testEndpointRequestsOf,
  useTestEndpointRule,
  type SignatureResult,
  type TestEndpointRow,
} from './test-endpoint-repository';
import type { ServiceDeps } from '../../service-deps';

export interface AnswerTestEndpointDeps extends Pick<ServiceDeps, 'now' | 'newId'> {
  readonly db: Queryable;
  readonly testSecrets: Pick<SecretBox, 'openOnce'>;
  readonly limits: Pick<TestEndpointLimits, 'take'>;
}

export interface TestEndpointAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Limits per merchant for requests of the last 24 hours. Unsigned requests have smaller limits of their kind, because
 * anybody who knows the URL can send them and they must not displace webhooks.
 */
export const STORED: Readonly<Record<SignatureResult, StoredRequests>> = {
  VALID: { most: 5_000, bodyLength: 65_536, headers: 60, headerLength: 2_000 },
  INVALID: { most: 100, bodyLength: 4_096, headers: 30, headerLength: 300 },
};
interface StoredRequests {
  readonly most: number;
  /** Longer texts are truncated. */
  readonly bodyLength: number;
  readonly headers: number;
  readonly headerLength: number;
}

const bodySchema = z.object({
  event: z.string().max(100).refine(isStorableText),
  environment: z.string().max(100).refine(isStorableText).optional(),
  challenge: z.string().max(500).optional(),
  data: z.looseObject({ payment_intent_id: z.uuid().optional() }).optional(),
});

/** The sender evaluates the response to these requests. All others get the configured response. */
const QUESTIONS: readonly string[] = [
  'webhook.endpoint_verification',
  'webhook.order_status',
] satisfies EndpointRequest[];

const delayed = delayedAnswers();

/** Responds like a correct shop unless the merchant has configured another response. */
export async function answerTestEndpoint(
  deps: AnswerTestEndpointDeps,
  endpoint: TestEndpointRow,
  { headers, rawBody }: { readonly headers: IncomingHttpHeaders; readonly rawBody: Buffer },
): Promise<TestEndpointAnswer> {
  const { db, limits } = deps;
  const { merchantId } = endpoint;
  const isSigned = isSignedBy(deps, endpoint, headers, rawBody);
  limits.take(isSigned ? 'signed' : 'unsigned', merchantId);
  const body = bodyOf(rawBody);
  const paymentIntentId = body?.data?.payment_intent_id ?? null;
  const isEvent = isSigned && body !== undefined && !QUESTIONS.includes(body.event);
  const { responseStatus, responseDelaySeconds } = isEvent
    ? ((await ruleFor(db, merchantId, paymentIntentId)) ?? endpoint)
    : { responseStatus: isSigned ? 200 : 401, responseDelaySeconds: 0 };
  const answer = isEvent || !isSigned ? {} : await answerToQuestion(db, endpoint, body, paymentIntentId);
  if (responseDelaySeconds > 0) delayed.assertMayWait(merchantId, responseDelaySeconds);
  const signature = isSigned ? 'VALID' : 'INVALID';
  await insertTestEndpointRequest(db, merchantId, {
    id: deps.newId(),
    receivedAt: deps.now(),
    headers: shownHeaders(headers, STORED[signature]),
    body: textOf(rawBody, STORED[signature]),
    signature,
    eventType: body?.event ?? null,
    paymentIntentId,
    environment: body?.environment ?? null,
    responseStatus,
  });
  await deleteOldestRequests(db, merchantId, signature, STORED[signature].most);
  if (responseDelaySeconds > 0) await delayed.wait(merchantId, responseDelaySeconds);
  return { status: responseStatus, body: responseStatus === 200 ? { received: true, ...answer } : {} };
}

async function ruleFor(db: Queryable, merchantId: string, paymentIntentId: string | null) {
  return paymentIntentId === null ? undefined : useTestEndpointRule(db, merchantId, paymentIntentId);
}

/** Responds to a verification with its challenge, and to an order status with the state of a correct shop. */
async function answerToQuestion(
  db: Queryable,
  { merchantId }: TestEndpointRow,
  body: z.infer<typeof bodySchema> | undefined,
  paymentIntentId: string | null,
): Promise<object> {
  if (body?.event === 'webhook.endpoint_verification') return { challenge: body.challenge };
  if (body?.event !== 'webhook.order_status' || paymentIntentId === null) return {};
  const requests = await testEndpointRequestsOf(db, merchantId, paymentIntentId);
  const isPaid = requests.some(
    ({ signature, eventType, environment, responseStatus }) =>
      signature === 'VALID' && eventType === 'payment.paid' && environment === 'SANDBOX' && responseStatus < 300,
  );
  return { stored: isPaid, fulfilled: isPaid };
}

function isSignedBy(
  { testSecrets, now }: Pick<AnswerTestEndpointDeps, 'testSecrets' | 'now'>,
  { merchantId, sealedSecret }: TestEndpointRow,
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
): boolean {
  try {
    verifyWebhook(rawBody, headers, testSecrets.openOnce(merchantId, sealedSecret), { now: now() });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

function bodyOf(rawBody: Buffer): z.infer<typeof bodySchema> | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(rawBody.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function shownHeaders(
  received: IncomingHttpHeaders,
  { headers, headerLength }: StoredRequests,
): Record<string, string> {
  const entries = Object.entries(received)
    .filter(([name]) => name !== 'cookie' && name !== 'authorization')
    .slice(0, headers);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, headerLength), toStorableText(String(value)).slice(0, headerLength)]),
  );
}

function textOf(rawBody: Buffer, { bodyLength }: StoredRequests): string {
  return toStorableText(rawBody.toString('utf8')).slice(0, bodyLength);
}
