import { ApiCaller } from '../src/api-caller';
import { ApiDocument, type DescribedOperation } from '../src/api-document';
import { asCurl } from '../src/as-curl';
import { contractRequests, type ContractRequest } from '../src/contract-requests';
import { ControlPlane } from '../src/control-plane';
import type { RawAnswer, RawRequest } from '../src/raw-doors';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20261122);
/** Requests to one operation, as many valid and as many invalid ones at most. */
const MOST_REQUESTS = Number(process.env['CONTRACT_REQUESTS'] ?? 60);
const TOGETHER = 8;
const PATIENCE_MS = 240_000;

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
    judge: (request: ContractRequest, answer: RawAnswer) => string | undefined,
  ): Promise<string[]> {
    const found = new Map<string, string>();
    const queue = [...requests];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const headers = { ...next.headers, ...caller.credentialOf(operation) };
        const sent: RawRequest = { method: operation.method, path: next.path, headers, body: next.body };
        const answer = await caller.doors.send(sent);
        const wrong = [judge(next, answer) ?? [], ...document.problemsOf(operation, answer)].flat();
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
    'accepts what the document allows and refuses what it forbids',
    async () => {
      const problems: string[] = [];
      const counts = { valid: 0, invalid: 0, accepted: 0, limited: 0 };
      for (const operation of caller.operationsInOrder()) {
        await caller.makeIds(operation);
        const requests = contractRequests(operation, {
          document,
          idsOf: (collection) => caller.idsOf(collection),
          seed: SEED,
          most: MOST_REQUESTS,
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
      expect(counts.limited).toBeLessThan((counts.valid + counts.invalid) / 10);
    },
    PATIENCE_MS,
  );
});

/** What depends on the state of objects and on credentials no schema can say; everything else a valid request must not meet. */
const STATE = [401, 403, 404, 409, 410, 422];

function refusalOfValid(status: number): string | undefined {
  return status < 400 || STATE.includes(status) ? undefined : `${status} for a valid request`;
}

function acceptanceOfInvalid({ place }: ContractRequest, status: number): string | undefined {
  const expected = { path: [404, 400], query: [400], body: [400, 413], header: [415] }[place];
  return expected.includes(status) ? undefined : `${status} for an invalid request`;
}
