import { eventually } from '@pay/testing';
import fc from 'fast-check';
import { ApiDocument, type DescribedOperation } from '../src/api-document';
import { ControlPlane } from '../src/control-plane';
import { requestsTo, valueOf, type GeneratedRequest } from '../src/generate-requests';
import { PublicDoors } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { RawDoors, type RawAnswer } from '../src/raw-doors';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20261121);
const LEAST_REQUESTS = 2_000;
const TOGETHER = 8;
/** It takes half a minute on a machine that has nothing else to do. */
const PATIENCE_MS = 180_000;

/** To be answered well these need a secret that no schema describes: a password, a code, a token, a cookie, an address. */
const NEED_A_SECRET = [
  ...['logIn', 'logOut', 'refreshSession', 'changePassword', 'acceptInvitation', 'pairDevice'],
  ...['enrolTwoFactor', 'confirmTwoFactor', 'disableTwoFactor'],
  ...['receiveForwardedSms', 'receiveForwardedSmsByGet', 'receiveForwardedSmsByPut', 'receiveForwardedSmsByPatch'],
];
/** To be answered well these need an intent that is in doubt in a way that no schema describes. */
const NEED_A_DOUBT = ['resolveException', 'linkException', 'rejectException', 'reopenException'];
/** To be answered well this needs a server that answers challenges. */
const NEED_A_SHOP = ['verifyWebhookEndpoint'];

describe(`every operation obeys docs/openapi.json, whatever it is sent (seed ${SEED})`, () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const document = new ApiDocument();
  const doors = new RawDoors(system.baseUrl);
  const ids = new Map<string, string[]>();
  let merchant: OwnMerchant;
  let round = 0;
  let owner: string;
  let viewer: string;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
    owner = await doors.signIn(merchant.owner.email, merchant.owner.password);
    const look = await addPerson('VIEWER');
    viewer = await doors.signIn(look.email, look.password);
  });

  afterAll(() => doors.close());

  async function addPerson(role: string): Promise<{ userId: string; email: string; password: string }> {
    const email = `${crypto.randomUUID()}@shop.example`;
    const options = { merchant: merchant.id, email, role };
    return { email, ...(await controlPlane.run<{ userId: string; password: string }>('create-user', options)) };
  }

  function credentialOf({ credential }: DescribedOperation): Record<string, string> {
    if (credential === 'apiKey') return { 'x-api-key': merchant.sandbox.apiKey };
    if (credential === 'deviceKey') return { 'x-device-key': merchant.sandbox.deviceKey };
    return credential === 'session' ? { authorization: `Bearer ${owner}` } : {};
  }

  const wrongCredentials: readonly Record<string, string>[] = [
    {},
    { 'x-api-key': `sk_test_${'A'.repeat(38)}` },
    { 'x-api-key': 'x'.repeat(4_000), 'x-device-key': `dk_live_${'A'.repeat(38)}` },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
    { authorization: `Basic ${'A'.repeat(300)}` },
  ];

  /** Objects that requests to an operation may change or end, made through the API itself where it can make them. */
  async function makeIds({ path }: DescribedOperation): Promise<void> {
    const collection = path.slice(0, Math.max(path.indexOf('/{'), 0));
    if (collection === '/v1/webhooks/deliveries') ids.set(collection, [await makeDelivery()]);
    if (collection === '/v1/dashboard/exceptions') ids.set(collection, await makeExceptions());
    const create = document.operations.find((one) => one.method === 'POST' && one.path === collection);
    if (create?.body === undefined) return;
    const made: string[] = [];
    for (const body of fc.sample(valueOf(document, create.body), { numRuns: 12, seed: SEED + (round += 1) })) {
      const headers = { 'content-type': 'application/json', ...credentialOf(create) };
      const answer = await doors.send({ method: 'POST', path: collection, headers, body: JSON.stringify(body) });
      const id = answer.status === 201 ? (JSON.parse(answer.text) as { id?: string }).id : undefined;
      if (id !== undefined && made.push(id) === 4) break;
    }
    ids.set(collection, made);
    if (collection !== '/v1/payments/intents') return;
    for (const other of ['/v1/checkout', '/v1/dashboard/payments']) ids.set(other, made);
  }

  /** A delivery follows from an event, or from the wish to see one. */
  async function makeDelivery(): Promise<string> {
    const headers = { 'content-type': 'application/json', 'x-api-key': merchant.sandbox.apiKey };
    const idOf = async (path: string, fields: object): Promise<string> => {
      const { text } = await doors.send({ method: 'POST', path, headers, body: JSON.stringify(fields) });
      return (JSON.parse(text) as { id: string }).id;
    };
    const fields = { url: `https://${crypto.randomUUID()}.shop.example/hooks`, secret: 'a secret of the shop' };
    return idOf(`/v1/webhooks/endpoints/${await idOf('/v1/webhooks/endpoints', fields)}/test`, {});
  }

  /** Money that comes again for what is paid is something for a person. */
  async function makeExceptions(): Promise<string[]> {
    const doorsOfMerchant = new PublicDoors(system.baseUrl);
    const fields = { amount: 60, idempotencyKey: crypto.randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    const { body: intent } = await doorsOfMerchant.createIntent(merchant.sandbox, fields);
    for (let n = 0; n < 4; n += 1) {
      const trxId = newTrxId(new Date());
      const message = bkashSendMoney({ amount: '60', reference: intent.customerReference, trxId });
      const sms = { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn };
      expect((await doorsOfMerchant.forwardSms(merchant.sandbox, sms)).status).toBe(202);
    }
    const path = '/v1/dashboard/exceptions?kind=paid_twice&limit=100';
    const headers = { authorization: `Bearer ${owner}` };
    const made = await eventually(async () => {
      const { data } = (
        await doorsOfMerchant.call<{ data: { id: string; paymentIntentId: string }[] }>('GET', path, headers)
      ).body;
      const about = data.filter(({ paymentIntentId }) => paymentIntentId === intent.id);
      return about.length === 3 ? about : undefined;
    }, 'three payments too many are in the queue');
    await doorsOfMerchant.close();
    return made.map(({ id }) => id);
  }

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
        const credential = isRight ? credentialOf(operation) : wrong;
        const { path, body } = request;
        const headers = { ...request.headers, ...credential };
        onAnswer(request, await doors.send({ method: operation.method, path, headers, body }), isRight);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
  }

  it(
    `at least ${LEAST_REQUESTS} valid, near-valid and hostile requests: no 5xx, every answer as described`,
    async () => {
      ids.set('/v1/dashboard/users', [(await addPerson('DEVELOPER')).userId]);

      const problems = new Map<string, string>();
      const unanswered = new Set(
        document.operations
          .map(({ id }) => id)
          .filter((id) => ![...NEED_A_SECRET, ...NEED_A_SHOP, ...NEED_A_DOUBT].includes(id)),
      );
      const statuses: Record<string, number> = {};
      let sent = 0;
      // Keys first, because checkouts need intents; sessions last, because people change what keys are answered.
      const order = ['apiKey', 'deviceKey', 'none', 'session'];
      const inOrder = [...document.operations].sort(
        (a, b) => order.indexOf(a.credential) - order.indexOf(b.credential),
      );
      const runs = Math.ceil(LEAST_REQUESTS / inOrder.length) + 5;
      for (const operation of inOrder) {
        await makeIds(operation);
        const arbitrary = requestsTo(operation, { document, idsOf: (collection) => ids.get(collection) ?? [] });
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
      const { status } = await doors.send({ method: operation.method, path, headers, body });
      if (operation.allowed.includes('VIEWER') === (status === 403)) answers.push(`${operation.id}: ${status}`);
    }

    expect(behindSession.length).toBeGreaterThan(0);
    expect(answers).toEqual([]);
  });
});
