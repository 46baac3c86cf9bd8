import {
  anyAdvanceSchema,
  describedAdvanceSchema,
  REQUEST_ID_REUSED,
  resetTestClockRequestSchema,
  testClockQuerySchema,
  testClockSchema,
} from '../http/test-clock';
import { operations } from './operation';
import { SANDBOX_ONLY, testersOf } from './testers';

const TEST_KEY = { kind: 'apiKey', scope: 'sandbox:simulate' } as const;

const reading = {
  query: testClockQuerySchema,
  answers: { 200: { description: 'The clock.', body: testClockSchema } },
} as const;
const advancing = {
  body: anyAdvanceSchema,
  anyText: true,
  describedBody: describedAdvanceSchema,
  answers: { 200: { description: 'The clock, `ready` or still `advancing`.', body: testClockSchema } },
  errors: ['TEST_CLOCK_ADVANCING', 'TIME_OUT_OF_RANGE', 'IDEMPOTENCY_KEY_REUSED'],
  messages: { IDEMPOTENCY_KEY_REUSED: REQUEST_ID_REUSED },
} as const;
const resetting = {
  body: resetTestClockRequestSchema,
  answers: { 200: { description: 'The clock, `ready`.', body: testClockSchema } },
} as const;

const ADVANCE =
  'Lets time pass for the SANDBOX data of the merchant: intents expire, waiting SMS reach the end of their match window, and webhook retries ' +
  'are sent, in the order of their times. The response is sent when everything that became due is processed, or after ten seconds with status ' +
  '`advancing` and the pending work; poll the clock until it is `ready`. Deadlines move; times of past events do not. See docs/test-clock.md.';
const RESET =
  'Cancels an advance that is in progress and sets the sum of advances to zero. Past effects are not reversed.';

const api = operations({ service: 'dashboard-api', tag: 'Sandbox' });

export const getTestClock = api.get('getTestClock', '/v1/sandbox/test-clock', {
  summary: 'Get the test clock',
  credential: testersOf('query'),
  ...reading,
});

export const advanceTestClock = api.post('advanceTestClock', '/v1/sandbox/test-clock/advance', {
  summary: 'Advance the test clock',
  description: ADVANCE,
  credential: testersOf('body'),
  ...advancing,
});

export const resetTestClock = api.post('resetTestClock', '/v1/sandbox/test-clock/reset', {
  summary: 'Reset the test clock',
  description: RESET,
  credential: testersOf('body'),
  ...resetting,
});

export const getTestClockByKey = api.get('getTestClockByKey', '/v1/sandbox/clock', {
  summary: 'Get the test clock with an API key',
  description: SANDBOX_ONLY,
  credential: TEST_KEY,
  ...reading,
});

export const advanceTestClockByKey = api.post('advanceTestClockByKey', '/v1/sandbox/clock/advance', {
  summary: 'Advance the test clock with an API key',
  description: `${ADVANCE} ${SANDBOX_ONLY}`,
  credential: TEST_KEY,
  ...advancing,
});

export const resetTestClockByKey = api.post('resetTestClockByKey', '/v1/sandbox/clock/reset', {
  summary: 'Reset the test clock with an API key',
  description: `${RESET} ${SANDBOX_ONLY}`,
  credential: TEST_KEY,
  ...resetting,
});
