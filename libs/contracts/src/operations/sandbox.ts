import { anySimulationSchema, describedSimulationSchema, simulationResponseSchema } from '../http/sandbox';
import { operation } from './operation';

const service = 'dashboard-api';
const tag = 'Sandbox';
/** Who configures a shop and its webhooks. */
const TESTERS = { kind: 'session', roles: ['OWNER', 'ADMIN', 'DEVELOPER'] } as const;
const TEST_KEY = { kind: 'apiKey', scope: 'sandbox:simulate' } as const;

const simulation = {
  body: anySimulationSchema,
  describedBody: describedSimulationSchema,
  answers: { 200: { description: 'The SMS and its effects.', body: simulationResponseSchema } },
  errors: ['BUSY'],
} as const;
const SIMULATION =
  'Composes the text that the provider of `paymentMethod` would send and passes it through the normal SMS intake, or sends `message` as ' +
  'given. It sends an SMS and changes no status directly: create an intent first to test a match. The response contains the stored SMS ' +
  'event with what the parser read, its match with the seven checks, and the intent. SANDBOX only; LIVE is answered 403.';

export const runSimulator = operation({
  id: 'runSimulator',
  service,
  method: 'post',
  path: '/v1/sandbox/simulator/run',
  tag,
  summary: 'Simulate an SMS',
  description: SIMULATION,
  credential: TESTERS,
  ...simulation,
});

export const simulateSms = operation({
  id: 'simulateSms',
  service,
  method: 'post',
  path: '/v1/sandbox/simulations',
  tag,
  summary: 'Simulate an SMS with an API key',
  description: SIMULATION,
  credential: TEST_KEY,
  ...simulation,
});
