import type { TestCaseKey } from '@pay/contracts';
import type { CasePlayer } from '../case-player';
import { CaseSkipped } from '../case-steps';
import type { TestCaseDefinition } from '../test-case';
import { TestEndpointRefused } from '../../test-endpoints/provide-test-endpoint';

/** Two attempts with a timeout of 10 seconds, and probes if many runs use the endpoint. */
const LONGEST_RETRY_MS = 240_000;
/** Longer than the timeout of a webhook. */
const HANGING_SECONDS = 20;

/** Cases of an endpoint that fails. The hosted test endpoint fails on request. */
export const ENDPOINT_CASES = {
  'endpoint-fails-once': {
    title: 'Endpoint that answers 500, then 200',
    purpose: 'A webhook is sent again with the same id and body after an error.',
    steps: [
      'Create an intent.',
      'Tell the hosted test endpoint to answer 500 to the first webhook about it.',
      'Simulate the SMS of its payment.',
    ],
    expected: ['The first attempt gets 500.', 'The second attempt gets 200 with the same id and body.'],
    play: (player) => playRetries(player, { responseStatus: 500, responseDelaySeconds: 0 }, 'HTTP_5XX'),
  },
  'endpoint-hangs': {
    title: 'Endpoint that hangs',
    purpose: 'A webhook is sent again with the same id and body after a timeout.',
    steps: [
      'Create an intent.',
      'Tell the hosted test endpoint not to answer the first webhook about it in time.',
      'Simulate the SMS of its payment.',
    ],
    expected: ['The first attempt ends with a timeout.', 'The second attempt gets 200 with the same id and body.'],
    play: (player) => playRetries(player, { responseStatus: 200, responseDelaySeconds: HANGING_SECONDS }, 'TIMEOUT'),
  },
} as const satisfies Partial<Record<TestCaseKey, TestCaseDefinition>>;

async function playRetries(
  player: CasePlayer,
  response: { readonly responseStatus: number; readonly responseDelaySeconds: number },
  outcome: string,
): Promise<void> {
  const endpoint = await player.testEndpoint().catch((error: unknown) => {
    throw error instanceof TestEndpointRefused ? new CaseSkipped(error.message) : error;
  });
  const intent = await player.createIntent();
  await player.answerNext(intent, { requests: 1, ...response });
  await player.pay(intent);
  await player.expectStatus(intent, 'PAID');
  const delivery = await player.deliveredTo(endpoint.endpointId, intent, LONGEST_RETRY_MS);
  const [first] = delivery?.attempts ?? [];
  const last = delivery?.attempts.at(-1);
  await player.expect(
    outcome === 'TIMEOUT' ? 'The first attempt ends with a timeout.' : 'The first attempt gets 500.',
    first?.outcome === outcome,
    `It ended as ${first?.outcome ?? 'none'} ${first?.httpStatus ?? ''}.`,
  );
  await player.expect(
    'A later attempt gets 200.',
    delivery?.status === 'DELIVERED' && last?.httpStatus === 200 && delivery.attempts.length > 1,
    `The delivery is ${delivery?.status ?? 'missing'} after ${delivery?.attempts.length ?? 0} attempts.`,
  );
  const requests = await player.storedRequests(intent);
  const ids = new Set(requests.map(({ headers }) => headers['x-webhook-id']));
  const bodies = new Set(requests.map(({ body }) => body));
  await player.expect(
    'All attempts have the same id and body, and a valid signature.',
    requests.length > 1 &&
      ids.size === 1 &&
      bodies.size === 1 &&
      requests.every(({ signature }) => signature === 'VALID'),
    `${requests.length} requests with ${ids.size} ids and ${bodies.size} bodies.`,
  );
}
