import {
  anyAdvanceSchema,
  describedAdvanceSchema,
  resetTestClockRequestSchema,
  testClockQuerySchema,
  testClockSchema,
} from '../http/test-clock';
import { operation } from './operation';
import { SANDBOX_ONLY, testersOf } from './testers';

const service = 'dashboard-api';
const tag = 'Sandbox';
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
  errors: ['TEST_CLOCK_ADVANCING', 'TIME_OUT_OF_RANGE'],
} as const;
const resetting = {
  body: resetTestClockRequestSchema,
  answers: { 200: { description: 'The clock, `ready`.', body: testClockSchema } },
} as const;

const ADVANCE =
  'Lets time pass for the SANDBOX data of the merchant: intents expire, waiting SMS reach the end of their match window, and webhook retries ' +
  'are sent, in the order of their times. The response follows when everything that became due has been done, or after ten seconds with status ' +
  '`advancing` and what is pending; read the clock until it is `ready`. Deadlines move and times of past events do not; see docs/test-clock.md.';
const RESET = 'Ends an advance that is under way and sets the sum of advances to zero. What has happened stays.';

export const getTestClock = operation({
  ...{ id: 'getTestClock', service, method: 'get', path: '/v1/sandbox/test-clock', tag },
  ...{ summary: 'Get the test clock', credential: testersOf('query') },
  ...reading,
});

export const advanceTestClock = operation({
  ...{ id: 'advanceTestClock', service, method: 'post', path: '/v1/sandbox/test-clock/advance', tag },
  ...{ summary: 'Advance the test clock', description: ADVANCE, credential: testersOf('body') },
  ...advancing,
});

export const resetTestClock = operation({
  ...{ id: 'resetTestClock', service, method: 'post', path: '/v1/sandbox/test-clock/reset', tag },
  ...{ summary: 'Reset the test clock', description: RESET, credential: testersOf('body') },
  ...resetting,
});

export const getTestClockByKey = operation({
  ...{ id: 'getTestClockByKey', service, method: 'get', path: '/v1/sandbox/clock', tag },
  ...{ summary: 'Get the test clock with an API key', description: SANDBOX_ONLY, credential: TEST_KEY },
  ...reading,
});

export const advanceTestClockByKey = operation({
  ...{ id: 'advanceTestClockByKey', service, method: 'post', path: '/v1/sandbox/clock/advance', tag },
  ...{
    summary: 'Advance the test clock with an API key',
    description: `${ADVANCE} ${SANDBOX_ONLY}`,
    credential: TEST_KEY,
  },
  ...advancing,
});

export const resetTestClockByKey = operation({
  ...{ id: 'resetTestClockByKey', service, method: 'post', path: '/v1/sandbox/clock/reset', tag },
  ...{ summary: 'Reset the test clock with an API key', description: `${RESET} ${SANDBOX_ONLY}`, credential: TEST_KEY },
  ...resetting,
});
