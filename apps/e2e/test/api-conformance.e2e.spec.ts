import fc from 'fast-check';
import { ApiCaller } from '../src/api-caller';
import { ApiDocument, type DescribedOperation } from '../src/api-document';
import { ControlPlane } from '../src/control-plane';
import { requestsTo, type GeneratedRequest } from '../src/generate-requests';
import type { RawAnswer } from '../src/raw-api';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20261121);
const LEAST_REQUESTS = 2_000;
const TOGETHER = 8;
/** Takes half a minute on a machine without other work, and three minutes on a busy one. */
const PATIENCE_MS = 600_000;

/**
 * To be answered well these need a secret that no schema describes: a password, a code, a token, a cookie, an address.
 */
const NEED_A_SECRET = [
  ...['logIn', 'logOut', 'refreshSession', 'changePassword', 'acceptInvitation', 'pairDevice'],
  'logInWithInvitation',
  ...['enrolTwoFactor', 'confirmTwoFactor', 'disableTwoFactor'],
  'receiveTestWebhook',
  ...['receiveForwardedSms', 'receiveForwardedSmsByGet', 'receiveForwardedSmsByPut', 'receiveForwardedSmsByPatch'],
];
/** To be answered well these need an intent that is in doubt in a way that no schema describes. */
const NEED_A_DOUBT = ['resolveException', 'linkException', 'rejectException', 'reopenException'];
/** A valid request to these needs a code or an invitation that is mailed, or a second merchant. */
const NEED_A_MESSAGE = ['confirmNumberProof', 'joinMerchant', 'switchMerchant'];
/** To be answered well these need a server that answers challenges. */
const NEED_A_SHOP = ['verifyWebhookEndpoint', 'verifyEndpoint'];

describe(`every operation obeys docs/openapi.json, whatever it is sent (seed ${SEED})`, () => {
  const system = readSystem(RUN_DIRECTORY);
  const document = new ApiDocument();
  let caller: ApiCaller;
  let viewer: string;

  beforeAll(async () => {
    caller = await ApiCaller.create(system, new ControlPlane(RUN_DIRECTORY), document, SEED);
    const look = await caller.addPerson('VIEWER');
    viewer = await caller.api.signIn(look.email, look.password);
  });

  afterAll(() => caller.close());

  const wrongCredentials: readonly Record<string, string>[] = [
    {},
    { 'x-api-key': `sk_test_${'A'.repeat(38)}` },
    { 'x-api-key': 'x'.repeat(4_000), 'x-device-key': `dk_live_${'A'.repeat(38)}` },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
    { authorization: `Basic ${'A'.repeat(300)}` },
  ];

  async function sendAll(
    operation: DescribedOperation,
    requests: readonly GeneratedRequest[],
    onAnswer: (request: GeneratedRequest, answer: RawAnswer, isRight: boolean) => void,
  ): Promise<void> {
    const queue = requests.map((request, index) => ({ request, index }));
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { request, index } = next;
        const isRight = index % 5 !== 4 || operation.credential === 'none';
        const wrong = wrongCredentials[Math.floor(index / 5) % wrongCredentials.length] ?? {};
        const credential = isRight ? caller.credentialOf(operation) : wrong;
        const { path, body } = request;
        const headers = { ...request.headers, ...credential };
        onAnswer(request, await caller.api.send({ method: operation.method, path, headers, body }), isRight);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
  }

  it(
    `at least ${LEAST_REQUESTS} valid, near-valid and hostile requests: no 5xx, every answer as described`,
    async () => {
      const problems = new Map<string, string>();
      const unanswered = new Set(
        document.operations
          .map(({ id }) => id)
          .filter((id) => ![...NEED_A_SECRET, ...NEED_A_SHOP, ...NEED_A_DOUBT, ...NEED_A_MESSAGE].includes(id)),
      );
      const statuses: Record<string, number> = {};
      let sent = 0;
      const inOrder = caller.operationsInOrder();
      const runs = Math.ceil(LEAST_REQUESTS / inOrder.length) + 5;
      for (const operation of inOrder) {
        await caller.makeIds(operation);
        const arbitrary = requestsTo(operation, { document, idsOf: (collection) => caller.idsOf(collection) });
        const requests = fc.sample(arbitrary, { numRuns: runs, seed: SEED });
        sent += requests.length;
        await sendAll(operation, requests, (request, answer, isRight) => {
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          if (answer.status < 400) unanswered.delete(operation.id);
          const found = [
            ...(answer.status >= 500 ? [`${answer.status} is our fault`] : []),
            ...(!isRight && answer.status < 400 ? [`${answer.status} for a wrong credential`] : []),
            ...document.problemsOf(operation, answer),
          ];
          for (const problem of found) {
            const sample = `${operation.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 200)} ${String(request.body).slice(0, 300)}`;
            problems.set(`${operation.id}: ${problem}`, `${request.kind}: ${sample}`);
          }
        });
      }

      expect([...problems].map(([problem, sample]) => `${problem}\n    ${sample}`)).toEqual([]);
      expect([...unanswered]).toEqual([]);
      expect(sent).toBeGreaterThanOrEqual(LEAST_REQUESTS);
      expect((statuses['429'] ?? 0) / sent).toBeLessThan(0.1);
    },
    PATIENCE_MS,
  );

  it('a role that is not listed is answered 403, and one that is not', async () => {
    const behindSession = document.operations.filter(({ credential }) => credential === 'session');
    const answers: string[] = [];
    for (const operation of behindSession) {
      const path = operation.path.replace(/\{\w+\}/g, crypto.randomUUID());
      const headers = {
        authorization: `Bearer ${viewer}`,
        ...(operation.body && { 'content-type': 'application/json' }),
      };
      const body = operation.body && '{}';
      const { status } = await caller.api.send({ method: operation.method, path, headers, body });
      if (operation.allowed.includes('VIEWER') === (status === 403)) answers.push(`${operation.id}: ${status}`);
    }

    expect(behindSession.length).toBeGreaterThan(0);
    expect(answers).toEqual([]);
  });
});
