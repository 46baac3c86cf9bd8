import { z } from 'zod';
import { environmentSchema } from '../environment';
import { pageOf, pageQuerySchema } from './pagination';
import { paymentMethodSchema } from '../payment-method';
import { refuseUnlessHttpUrl } from './http-url';
import { requestBody } from './request-body';
import { boundedText, HTTP_URL_PATTERN } from './request-values';
import { languageQuerySchema } from '../language';
import { sandboxEnvironment, timestamp, wholeNumber } from './request-fields';
import { WEBHOOK_RESPONSE_SECONDS } from './webhooks';

/** The test cases of the sandbox, in the order in which they are listed. */
export const TEST_CASE_KEYS = [
  'paid-by-reference',
  'paid-by-trx-id-before-sms',
  'paid-by-trx-id-after-sms',
  'cash-out-by-trx-id',
  'wrong-amount',
  'missing-reference-then-trx-id',
  'wrong-receiver',
  'wrong-method',
  'trx-id-of-another-order',
  'duplicate-trx-id',
  'second-payment',
  'forged-text',
  'late-payment',
  'expired',
  'cancelled',
  'rejected-by-reviewer',
  'approved-by-reviewer',
  'endpoint-fails-once',
  'endpoint-hangs',
  'silent-phone',
  'forged-webhook',
  'redirect-without-payment',
  'other-environment',
] as const;
export const testCaseKeySchema = z.enum(TEST_CASE_KEYS).meta({ id: 'TestCaseKey' });
export type TestCaseKey = z.infer<typeof testCaseKeySchema>;

export const testCaseSchema = z
  .object({
    key: testCaseKeySchema,
    title: z.string(),
    purpose: z.string(),
    steps: z.array(z.string()),
    expected: z.array(z.string()),
  })
  .meta({ id: 'TestCase' });
export type TestCase = z.infer<typeof testCaseSchema>;

export const testRunStatusSchema = z.enum(['QUEUED', 'RUNNING', 'ENDED']).meta({ id: 'TestRunStatus' });
export type TestRunStatus = z.infer<typeof testRunStatusSchema>;

export const testResultSchema = z.enum(['PASSED', 'FAILED', 'SKIPPED', 'ERROR']).meta({
  id: 'TestResult',
  description:
    'FAILED: an expectation was not met. SKIPPED: the configuration of the merchant does not allow the case, or every expectation was ' +
    'skipped. ERROR: the case could not be completed; `reason` says why.',
});
export type TestResult = z.infer<typeof testResultSchema>;

const step = z.object({ at: timestamp, text: z.string() });
const expectation = z.object({
  text: z.string(),
  result: z.enum(['PASSED', 'FAILED', 'SKIPPED']),
  /** The observed result, or why it was skipped. */
  detail: z.string().nullable(),
});
export type TestExpectation = z.infer<typeof expectation>;

const webhook = z.object({
  id: z.uuid(),
  endpointId: z.uuid(),
  paymentIntentId: z.uuid(),
  eventType: z.string(),
  status: z.string(),
  attempts: z.array(
    z.object({
      attempt: z.int().positive(),
      outcome: z.string().nullable(),
      httpStatus: z.int().nullable(),
      response: z.string().nullable().meta({ description: 'Start of the response body of the endpoint.' }),
    }),
  ),
});
export type TestWebhook = z.infer<typeof webhook>;

/** A request that a test case sends to the endpoint of the shop beside the webhooks. */
export const shopRequestKindSchema = z.enum(['order_status', 'forged_signature', 'other_environment', 'redirect']);

const shopRequest = z.object({
  kind: shopRequestKindSchema,
  endpointId: z.uuid().nullable(),
  paymentIntentId: z.uuid(),
  outcome: z.string(),
  httpStatus: z.int().nullable(),
  response: z.string().nullable(),
});

export const testEvidenceSchema = z.object({
  paymentIntentIds: z.array(z.uuid()),
  smsEventIds: z.array(z.uuid()),
  matchIds: z.array(z.uuid()),
  webhooks: z.array(webhook),
  shopRequests: z.array(shopRequest),
});
export type TestEvidence = z.infer<typeof testEvidenceSchema>;

export const testRunSchema = z
  .object({
    id: z.uuid(),
    suiteId: z.uuid(),
    environment: environmentSchema,
    testCase: testCaseKeySchema,
    status: testRunStatusSchema,
    result: testResultSchema.nullable(),
    reason: z.string().nullable(),
    /** `user:` or `api_key:` and an id. */
    startedBy: z.string(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    steps: z.array(step),
    expectations: z.array(expectation),
    evidence: testEvidenceSchema,
  })
  .meta({ id: 'TestRun' });
export type TestRun = z.infer<typeof testRunSchema>;

export const testSuiteSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    status: testRunStatusSchema,
    result: testResultSchema.nullable().meta({ description: 'PASSED if all runs passed; the worst result otherwise.' }),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
    runs: z.array(testRunSchema),
  })
  .meta({ id: 'TestSuite' });
export type TestSuite = z.infer<typeof testSuiteSchema>;

const successUrl = boundedText('successUrl', { max: 2_000 })
  .meta({
    pattern: HTTP_URL_PATTERN,
    description: 'Page of your shop to which the checkout redirects after PAID. Needed by `redirect-without-payment`.',
    examples: ['https://shop.example/paid'],
  })
  .superRefine(refuseUnlessHttpUrl('successUrl'))
  .nullish();

/** Body of POST /v1/sandbox/test-cases/:key/run. */
export const runTestCaseRequestSchema = requestBody({ environment: sandboxEnvironment, successUrl });

/** Body of POST /v1/sandbox/runs. */
export const createTestSuiteRequestSchema = requestBody({
  cases: z
    .array(z.enum(TEST_CASE_KEYS, { error: `cases must contain only ${TEST_CASE_KEYS.join(', ')}` }), {
      error: 'cases must be an array',
    })
    .min(1, 'cases must not be empty')
    .max(100, 'cases must have at most 100 items')
    .nullish()
    .meta({ description: 'Keys of test cases, also several times. Default: all, once.' }),
  successUrl,
});

export const testCaseQuerySchema = languageQuerySchema.extend({ environment: sandboxEnvironment });
export const testRunPageQuerySchema = pageQuerySchema.extend({ environment: sandboxEnvironment });
export const testRunPageSchema = pageOf(testRunSchema);

export const testSuiteQuerySchema = z.object({
  format: z.enum(['json', 'junit'], { error: 'format must be json or junit' }).optional(),
});

/** A webhook endpoint that this API answers itself. */
export const testEndpointSchema = z
  .object({
    endpointId: z.uuid().meta({ description: 'Id of the webhook endpoint.' }),
    url: z.string(),
    responseStatus: z.int(),
    responseDelaySeconds: z.int(),
  })
  .meta({ id: 'TestEndpoint' });
export type TestEndpoint = z.infer<typeof testEndpointSchema>;

const MOST_DELAY_SECONDS = 20;
export const changeTestEndpointRequestSchema = requestBody({
  responseStatus: wholeNumber('responseStatus', 200, 599)
    .optional()
    .meta({ description: 'HTTP status of the responses to webhooks.' }),
  responseDelaySeconds: wholeNumber('responseDelaySeconds', 0, MOST_DELAY_SECONDS)
    .optional()
    .meta({
      description: `Seconds until the response is sent. The webhook sender waits at most ${WEBHOOK_RESPONSE_SECONDS} seconds.`,
    }),
});

/** A request that the hosted endpoint has received. */
export const testEndpointRequestSchema = z
  .object({
    id: z.uuid(),
    receivedAt: timestamp,
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    signature: z.enum(['VALID', 'INVALID']),
    eventType: z.string().nullable(),
    paymentIntentId: z.uuid().nullable(),
    responseStatus: z.int(),
  })
  .meta({ id: 'TestEndpointRequest' });
export type TestEndpointRequest = z.infer<typeof testEndpointRequestSchema>;
export const testEndpointRequestPageSchema = pageOf(testEndpointRequestSchema);

/** Body of a request to the hosted endpoint: any JSON object. */
export const testEndpointBodySchema = z.looseObject({}, { error: 'body must be a JSON object' });
export const testEndpointAnswerSchema = z.looseObject({});

/** sms-ingest `POST /internal/v1/sandbox/trx-ids`: a new TrxID of today. */
export const internalTrxIdRequestSchema = z.object({ paymentMethod: paymentMethodSchema });
export const internalTrxIdSchema = z.object({ trxId: z.string() });

/**
 * webhook-dispatcher `POST /internal/v1/sandbox/shop-requests`, for the SANDBOX tenant of the headers: sends a request
 * to the shop through the guarded client of webhooks. All but `redirect` are sent to the endpoint, `redirect` is a GET
 * of the URL.
 */
export const internalShopRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['order_status', 'forged_signature', 'other_environment']),
    endpointId: z.uuid(),
    paymentIntent: z.object({
      id: z.uuid(),
      amount: z.string(),
      customerReference: z.string(),
      merchantReference: z.string().nullable(),
    }),
  }),
  z.object({ kind: z.literal('redirect'), url: z.url() }),
]);
export type InternalShopRequest = z.infer<typeof internalShopRequestSchema>;

export const internalShopAnswerSchema = z.object({
  outcome: z.string(),
  httpStatus: z.int().nullable(),
  response: z.string().nullable(),
});
export type InternalShopAnswer = z.infer<typeof internalShopAnswerSchema>;

/**
 * webhook-dispatcher `GET /internal/v1/sandbox/endpoints`: the endpoints of the SANDBOX tenant of the headers, oldest
 * first.
 */
export const internalEndpointsSchema = z.object({
  endpoints: z.array(
    z.object({ id: z.uuid(), url: z.string(), eventTypes: z.array(z.string()), isActive: z.boolean() }),
  ),
});
export type InternalEndpoints = z.infer<typeof internalEndpointsSchema>;
