import { z } from 'zod';
import { anySimulationSchema, describedSimulationSchema, simulationResponseSchema } from '../http/sandbox';
import {
  changeTestEndpointRequestSchema,
  createTestSuiteRequestSchema,
  runTestCaseRequestSchema,
  testCaseKeySchema,
  testCaseQuerySchema,
  testCaseSchema,
  testEndpointAnswerSchema,
  testEndpointBodySchema,
  testEndpointRequestPageSchema,
  testEndpointSchema,
  testRunPageQuerySchema,
  testRunPageSchema,
  testRunSchema,
  testSuiteQuerySchema,
  testSuiteSchema,
} from '../http/test-cases';
import { ROLES } from '../role';
import { operations } from './operation';
import { SANDBOX_ONLY, SANDBOX_VIEWERS, TESTER_ROLES, testersOf } from './testers';

/** Who configures a shop and its webhooks. */
const TESTERS = { kind: 'session', roles: TESTER_ROLES } as const;
const VIEWERS = { kind: 'session', roles: ROLES } as const;
const TEST_KEY = { kind: 'apiKey', scope: 'sandbox:simulate' } as const;

const simulation = {
  body: anySimulationSchema,
  anyText: true,
  describedBody: describedSimulationSchema,
  answers: { 200: { description: 'The SMS and its effects.', body: simulationResponseSchema } },
  errors: ['BUSY'],
} as const;
const SIMULATION =
  'Composes the text that the provider of `paymentMethod` would send and passes it through the normal SMS intake, or sends `message` as ' +
  'given. It sends an SMS and changes no status directly: create an intent first to test a match. The response contains the stored SMS ' +
  'event with what the parser read, its match with the seven checks, and the intent.';

const api = operations({ service: 'dashboard-api', tag: 'Sandbox' });

export const runSimulator = api.post('runSimulator', '/v1/sandbox/simulator/run', {
  summary: 'Simulate an SMS',
  description: SIMULATION,
  credential: testersOf('body'),
  ...simulation,
});

export const simulateSms = api.post('simulateSms', '/v1/sandbox/simulations', {
  summary: 'Simulate an SMS with an API key',
  description: `${SIMULATION} ${SANDBOX_ONLY}`,
  credential: TEST_KEY,
  ...simulation,
});

const RUNS =
  'A run creates its own intents with a SANDBOX API key that is issued for test cases, sends SMS through the simulator, and uses ' +
  'your receiver accounts, methods and webhook endpoints. It ends with a result per expectation and the evidence: ids, webhooks, and the ' +
  'responses of your endpoint.';

export const listTestCases = api.get('listTestCases', '/v1/sandbox/test-cases', {
  summary: 'List the test cases',
  description: 'Title, purpose, steps and expected result of each test case.',
  credential: SANDBOX_VIEWERS,
  query: testCaseQuerySchema,
  answers: { 200: { description: 'All test cases.', body: z.object({ data: z.array(testCaseSchema) }) } },
});

export const runTestCase = api.post('runTestCase', '/v1/sandbox/test-cases/:key/run', {
  summary: 'Run a test case',
  description: RUNS,
  credential: testersOf('body'),
  params: z.object({ key: testCaseKeySchema }),
  body: runTestCaseRequestSchema,
  answers: { 201: { description: 'The queued run.', body: testRunSchema } },
  errors: ['TEST_RUN_LIMIT_REACHED'],
});

export const listTestRuns = api.get('listTestRuns', '/v1/sandbox/test-cases/runs', {
  summary: 'List runs of test cases',
  credential: SANDBOX_VIEWERS,
  query: testRunPageQuerySchema,
  answers: { 200: { description: 'One page, newest first.', body: testRunPageSchema } },
});

export const getTestRun = api.get('getTestRun', '/v1/sandbox/test-cases/runs/:id', {
  summary: 'Retrieve a run of a test case',
  credential: VIEWERS,
  answers: { 200: { description: 'The run.', body: testRunSchema } },
});

export const watchTestRun = api.get('watchTestRun', '/v1/sandbox/test-cases/runs/:id/events', {
  summary: 'Stream the progress of a run',
  description:
    'Server-sent events. `run` contains the run: first as it is now, then after changes. Changes within a second are sent as one event. ' +
    'When the run has ended, the server sends `end` and closes the stream. A stream also closes when the session has ended, when the ' +
    'role has changed, or after ten minutes; without `end` it can be opened again.',
  credential: VIEWERS,
  answers: {
    200: {
      description: 'Events until the run ends.',
      contentType: 'text/event-stream',
      events: { run: testRunSchema, end: z.object({}) },
    },
  },
});

export const createTestSuite = api.post('createTestSuite', '/v1/sandbox/runs', {
  summary: 'Run a list of test cases with an API key',
  description: `For continuous integration. ${RUNS}`,
  credential: TEST_KEY,
  body: createTestSuiteRequestSchema,
  answers: { 201: { description: 'The queued runs.', body: testSuiteSchema } },
  errors: ['TEST_RUN_LIMIT_REACHED'],
});

const JUNIT_EXAMPLE = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="sandbox" id="01935002-0000-7000-8000-00000000b001">
  <testsuite name="sandbox" tests="1" failures="0" errors="0" skipped="0" time="1.500">
    <testcase classname="sandbox" name="paid-by-reference" time="1.500">
      <system-out>run 01935002-0000-7000-8000-00000000b002</system-out>
    </testcase>
  </testsuite>
</testsuites>
`;

export const getTestSuite = api.get('getTestSuite', '/v1/sandbox/runs/:id', {
  summary: 'Retrieve a list of runs',
  description: 'JSON, or JUnit XML with `format=junit` or `Accept: application/xml`.',
  credential: TEST_KEY,
  query: testSuiteQuerySchema,
  answers: {
    200: {
      description: 'The runs and their results.',
      body: testSuiteSchema,
      alsoAs: 'application/xml',
      textExample: JUNIT_EXAMPLE,
    },
  },
});

const TEST_ENDPOINT = { 200: { description: 'The hosted endpoint.', body: testEndpointSchema } } as const;

export const createTestEndpoint = api.post('createTestEndpoint', '/v1/sandbox/test-endpoint', {
  summary: 'Create the hosted test endpoint',
  description:
    'A SANDBOX webhook endpoint that is hosted by this API, for merchants without their own server. It is registered and ' +
    'verified; an existing one is returned. Requests are stored for 24 hours.',
  credential: TESTERS,
  answers: TEST_ENDPOINT,
  errors: ['TEST_ENDPOINT_REFUSED'],
});

export const getTestEndpoint = api.get('getTestEndpoint', '/v1/sandbox/test-endpoint', {
  summary: 'Retrieve the hosted test endpoint',
  credential: VIEWERS,
  answers: TEST_ENDPOINT,
  errors: ['NOT_FOUND'],
});

export const changeTestEndpoint = api.patch('changeTestEndpoint', '/v1/sandbox/test-endpoint', {
  summary: 'Change how the hosted test endpoint answers',
  description:
    'Applies to all events with a valid signature, not to `webhook.endpoint_verification` and `webhook.order_status`, which are always ' +
    'answered with 200. Requests with an invalid signature receive 401.',
  credential: TESTERS,
  body: changeTestEndpointRequestSchema,
  answers: TEST_ENDPOINT,
  errors: ['NOT_FOUND'],
});

export const listTestEndpointRequests = api.get('listTestEndpointRequests', '/v1/sandbox/test-endpoint/requests', {
  summary: 'List requests to the hosted test endpoint',
  description: 'Headers, body and the result of the signature check, of the last 24 hours.',
  credential: SANDBOX_VIEWERS,
  query: testRunPageQuerySchema,
  answers: { 200: { description: 'One page, newest first.', body: testEndpointRequestPageSchema } },
});

export const receiveTestWebhook = api.post('receiveTestWebhook', '/v1/sandbox/test-endpoints/:token', {
  summary: 'Receive a webhook at the hosted test endpoint',
  description: 'Called by webhooks. Returns the configured response, or 401 for an invalid signature.',
  credential: { kind: 'none' },
  params: z.object({
    token: z
      .string()
      .regex(/^[A-Za-z0-9_-]{32}$/)
      .meta({ minLength: 32, maxLength: 32 }),
  }),
  body: testEndpointBodySchema,
  anyText: true,
  answers: { 200: { description: 'Received.', body: testEndpointAnswerSchema } },
});
