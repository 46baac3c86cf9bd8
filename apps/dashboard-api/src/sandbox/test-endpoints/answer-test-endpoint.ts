import { setTimeout as delay } from 'node:timers/promises';
import { isStorableText, toStorableText, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import { verifyWebhook, WebhookVerificationError } from '@pay/signing';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import {
  countTestEndpointRequests,
  findTestEndpointByToken,
  insertTestEndpointRequest,
  testEndpointRequestsOf,
  useTestEndpointRule,
  type TestEndpointRow,
} from './test-endpoint-repository';

export interface AnswerTestEndpointDeps {
  readonly db: Queryable;
  readonly testSecrets: Pick<SecretBox, 'openOnce'>;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface TestEndpointAnswer {
  readonly status: number;
  readonly body: object;
}

/** Requests of 24 hours that are stored for a merchant; more are answered 429. */
export const MOST_STORED_REQUESTS = 5_000;
/** Answers that wait at the same time in this process. */
const MOST_WAITING = 500;
const MOST_HEADERS = 60;
const MOST_HEADER_LENGTH = 2_000;
/** Bodies are short text that a person reads; a longer one is cut. */
const MOST_BODY_LENGTH = 65_536;

const bodySchema = z.object({
  event: z.string().max(100).refine(isStorableText),
  environment: z.string().max(100).refine(isStorableText).optional(),
  challenge: z.string().max(500).optional(),
  data: z.looseObject({ payment_intent_id: z.uuid().optional() }).optional(),
});

let waiting = 0;

/** Stores a request to the hosted endpoint with this token and answers it as a correct shop, or as it was told to. */
export async function answerTestEndpoint(
  deps: AnswerTestEndpointDeps,
  token: string,
  { headers, rawBody }: { readonly headers: IncomingHttpHeaders; readonly rawBody: Buffer },
): Promise<TestEndpointAnswer> {
  const { db } = deps;
  const endpoint = await findTestEndpointByToken(db, token);
  if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
  if ((await countTestEndpointRequests(db, endpoint.merchantId)) >= MOST_STORED_REQUESTS || waiting >= MOST_WAITING)
    throw new BusinessError('RATE_LIMITED', undefined, 60);
  const body = bodyOf(rawBody);
  const paymentIntentId = body?.data?.payment_intent_id ?? null;
  const isSigned = isSignedBy(deps, endpoint, headers, rawBody);
  const isEvent = isSigned && body !== undefined && body.event.startsWith('payment.');
  const { responseStatus, responseDelaySeconds } = isEvent
    ? ((await ruleFor(db, endpoint.merchantId, paymentIntentId)) ?? endpoint)
    : { responseStatus: isSigned ? 200 : 401, responseDelaySeconds: 0 };
  const answer = isEvent || !isSigned ? {} : await answerToQuestion(db, endpoint, body, paymentIntentId);
  await insertTestEndpointRequest(db, endpoint.merchantId, {
    ...{ id: deps.newId(), receivedAt: deps.now(), headers: shownHeaders(headers) },
    ...{ body: textOf(rawBody), signature: isSigned ? 'VALID' : 'INVALID', eventType: body?.event ?? null },
    ...{ paymentIntentId, environment: body?.environment ?? null, responseStatus },
  });
  if (responseDelaySeconds > 0) {
    waiting += 1;
    await delay(responseDelaySeconds * 1_000).finally(() => (waiting -= 1));
  }
  return { status: responseStatus, body: responseStatus === 200 ? { received: true, ...answer } : {} };
}

async function ruleFor(db: Queryable, merchantId: string, paymentIntentId: string | null) {
  return paymentIntentId === null ? undefined : useTestEndpointRule(db, merchantId, paymentIntentId);
}

/** The challenge of a verification, and the status of an order as a correct shop knows it. */
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

function shownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([name]) => name !== 'cookie' && name !== 'authorization')
    .slice(0, MOST_HEADERS);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, toStorableText(String(value)).slice(0, MOST_HEADER_LENGTH)]),
  );
}

function textOf(rawBody: Buffer): string {
  return toStorableText(rawBody.toString('utf8')).slice(0, MOST_BODY_LENGTH);
}
