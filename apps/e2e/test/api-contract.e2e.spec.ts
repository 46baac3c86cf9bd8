import fc from 'fast-check';
import { ApiCaller } from '../src/api-caller';
import { ApiDocument, type DescribedOperation } from '../src/api-document';
import { asCurl } from '../src/as-curl';
import { contractRequests, ordinaryRequest, type ContractRequest } from '../src/contract-requests';
import { ControlPlane } from '../src/control-plane';
import { valueOf } from '../src/generate-requests';
import type { RawAnswer, RawRequest } from '../src/raw-api';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20261122);
/** Requests to one operation, as many valid and as many invalid ones at most. */
const MOST_REQUESTS = Number(process.env['CONTRACT_REQUESTS'] ?? 20);
/** Formats that other validators check by their own rules. */
const FORMATS = ['email', 'uuid', 'date', 'date-time'];
const TOGETHER = 8;
const PATIENCE_MS = 600_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const UNKNOWN = {
  none: '',
  apiKey: `sk_test_${'A'.repeat(38)}`,
  deviceKey: `dk_test_${'A'.repeat(38)}`,
  session: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
} as const;

describe(`requests at the bounds of docs/openapi.json (seed ${SEED})`, () => {
  const system = readSystem(RUN_DIRECTORY);
  const document = new ApiDocument();
  let caller: ApiCaller;

  beforeAll(async () => {
    caller = await ApiCaller.create(system, new ControlPlane(RUN_DIRECTORY), document, SEED);
  });

  afterAll(() => caller.close());

  /** Sends some at a time, and gathers one problem of a kind for each place of a request. */
  async function problemsOf(
    operation: DescribedOperation,
    requests: readonly ContractRequest[],
    check: (request: ContractRequest, answer: RawAnswer) => string | undefined,
  ): Promise<string[]> {
    const found = new Map<string, string>();
    const queue = [...requests];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const headers = { ...next.headers, ...caller.credentialOf(operation) };
        const sent: RawRequest = { method: operation.method, path: next.path, headers, body: next.body };
        const answer = await caller.api.send(sent);
        const wrong = [check(next, answer) ?? [], ...document.problemsOf(operation, answer)].flat();
        for (const problem of wrong) {
          const about = `${operation.id}: ${problem}: ${next.about}`;
          found.set(
            `${problem} ${next.about.split(' = ')[0] ?? ''}`,
            `${about}\n    ${answer.text.slice(0, 300)}\n    ${asCurl('$BASE_URL', sent)}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, worker));
    return [...found.values()];
  }

  it(
    'accepts valid requests of the document and refuses invalid ones',
    async () => {
      const problems: string[] = [];
      const counts = { valid: 0, invalid: 0, accepted: 0, limited: 0 };
      const whole = new Set(FORMATS);
      for (const operation of caller.operationsInOrder()) {
        await caller.makeIds(operation);
        const requests = contractRequests(operation, {
          document,
          idsOf: (collection) => caller.idsOf(collection),
          seed: SEED,
          most: MOST_REQUESTS,
          whole,
        });
        const found = await problemsOf(operation, requests, (request, { status }) => {
          counts[request.isValid ? 'valid' : 'invalid'] += 1;
          if (status < 400) counts.accepted += 1;
          if (status === 429) {
            counts.limited += 1;
            return undefined;
          }
          return request.isValid ? refusalOfValid(status) : acceptanceOfInvalid(request, status);
        });
        problems.push(...found);
      }

      expect(problems).toEqual([]);
      expect([...whole]).toEqual([]);
      expect(counts.limited).toBeLessThan((counts.valid + counts.invalid) / 10);
    },
    PATIENCE_MS,
  );

  it('answers 405 with Allow to a method that no operation of a path has', async () => {
    const problems: string[] = [];
    for (const [path, methods] of methodsByPath()) {
      const known = path.replace(/\{(\w+)\}/g, (_whole, name: string) => sampleOf(path, name));
      for (const method of METHODS.filter((one) => !methods.includes(one))) {
        const sent = { method, path: known };
        const { status, headers } = await caller.api.send(sent);
        const allowed = String(headers['allow']).split(', ');
        const isRight = status === 405 && methods.every((one) => allowed.includes(one)) && !allowed.includes(method);
        if (!isRight) problems.push(`${status}, Allow: ${allowed.join()}: ${asCurl('$BASE_URL', sent)}`);
      }
    }

    expect(problems).toEqual([]);
  });

  it('answers 401 without a credential, with an unknown one and with one of another kind', async () => {
    const problems: string[] = [];
    const others = { apiKey: 'deviceKey', deviceKey: 'apiKey', session: 'apiKey', none: 'none' } as const;
    for (const operation of document.operations.filter(({ credential }) => credential !== 'none')) {
      const other = document.operations.find(({ credential }) => credential === others[operation.credential]);
      const ofOther = Object.values(other === undefined ? {} : caller.credentialOf(other))[0] ?? '';
      const request = ordinaryRequest(operation, { document, idsOf: () => [], seed: SEED });
      const [name = ''] = Object.keys(caller.credentialOf(operation));
      for (const credential of [{}, { [name]: UNKNOWN[operation.credential] }, { [name]: ofOther }]) {
        const { path, body, headers } = request;
        const sent = { method: operation.method, path, body, headers: { ...headers, ...credential } };
        const answer = await caller.api.send(sent);
        const wrong = [...(answer.status === 401 ? [] : ['no 401']), ...document.problemsOf(operation, answer)];
        problems.push(...wrong.map((problem) => `${operation.id}: ${problem}: ${asCurl('$BASE_URL', sent)}`));
      }
    }

    expect(problems).toEqual([]);
  });

  it('returns a created object by its id, and 404 after its deletion', async () => {
    const problems: string[] = [];
    const ended: string[] = [];
    for (const { path: collection } of document.operations.filter(({ method }) => method === 'POST')) {
      const below = document.operations.filter(({ path }) => new RegExp(`^${collection}/\\{\\w+\\}`).test(path));
      const retrieve = below.find(({ method, path }) => method === 'GET' && path.endsWith('}'));
      const [id] = (await caller.create(collection, 1)) ?? [];
      if (retrieve === undefined || id === undefined) continue;
      const answer = async (operation: DescribedOperation) => {
        const { path, body, headers } = ordinaryRequest(operation, { document, idsOf: () => [id], seed: SEED });
        const credential = caller.credentialOf(operation);
        return caller.api.send({ method: operation.method, path, body, headers: { ...headers, ...credential } });
      };
      const found = await answer(retrieve);
      if (found.status !== 200) problems.push(`${retrieve.id}: ${found.status} for what was created`);
      const end = below.find(({ method, path }) => method === 'DELETE' && path === retrieve.path);
      if (end === undefined) continue;
      ended.push(end.id);
      expect((await answer(end)).status).toBe(204);
      for (const operation of below) {
        const { status } = await answer(operation);
        if (status !== 404) problems.push(`${operation.id}: ${status} for what was deleted`);
      }
    }

    expect(problems).toEqual([]);
    expect(ended).toContain('deleteWebhookEndpoint');
  });

  /** Methods of each documented path. HEAD is answered wherever GET is. */
  function methodsByPath(): Map<string, string[]> {
    const methods = new Map<string, string[]>();
    for (const { path, method } of document.operations) methods.set(path, [...(methods.get(path) ?? []), method]);
    return methods;
  }

  function sampleOf(path: string, name: string): string {
    const operation = document.operations.find((one) => one.path === path);
    const schema = operation?.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    return String(fc.sample(valueOf(document, schema), { numRuns: 1, seed: SEED })[0]);
  }
});

/**
 * Errors that depend on stored objects and credentials, which a schema cannot describe. A valid request must not cause
 * any other.
 */
const STATE = [401, 403, 404, 409, 410, 422];

function refusalOfValid(status: number): string | undefined {
  return status < 400 || STATE.includes(status) ? undefined : `${status} for a valid request`;
}

function acceptanceOfInvalid({ place }: ContractRequest, status: number): string | undefined {
  const expected = { path: [404, 400], query: [400], body: [400, 413], header: [415] }[place];
  return expected.includes(status) ? undefined : `${status} for an invalid request`;
}
