import { TEST_CASE_KEYS, testRunSchema, testSuiteSchema, type TestCaseKey } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import type { CasePlayer } from '../src/sandbox/test-cases/case-player';
import { CaseSkipped } from '../src/sandbox/test-cases/case-steps';
import { playRun, type PlayRunsDeps } from '../src/sandbox/test-cases/play-runs';
import type { PlayerDeps } from '../src/sandbox/test-cases/player-deps';
import { MOST_OPEN_RUNS } from '../src/sandbox/test-cases/run-suites';
import type { TestCaseDefinition } from '../src/sandbox/test-cases/test-case';
import { leaseRuns } from '../src/sandbox/test-cases/test-run-repository';
import { reviewInRun } from '../src/sandbox/test-cases/review-in-run';
import { call, openShop, type Shop } from './dashboard-under-test';
import { KnownExceptions } from './known-exceptions';
import { quietLog, startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
let shop: Shop;
beforeAll(async () => {
  service = await startService({ withoutTestRuns: true });
});
afterAll(() => service.stop());
failOnLeaks();
beforeEach(async () => {
  // Runs of other tests are not leased here.
  await service.db.execute('delete from test_suites');
  shop = await openShop(service);
});

const endpointId = uuidv7();
/** Nothing but what every run needs; cases of these tests send nothing. */
const player = {
  endpointsOf: () => Promise.resolve([{ id: endpointId, url: 'https://shop.example', eventTypes: [], isActive: true }]),
  now: () => new Date(),
} as unknown as PlayerDeps;

function aProcess(play: (player: CasePlayer) => Promise<void>): PlayRunsDeps {
  const definition: TestCaseDefinition = { title: '', purpose: '', steps: [], expected: [], play };
  return {
    db: service.db,
    player,
    owner: uuidv7(),
    log: quietLog,
    configurationOf: () => Promise.resolve({ enabledMethods: [], receivers: [] }),
    cases: { cancelled: definition },
  };
}

const lease = ({ owner }: PlayRunsDeps, most = 10, mostOfMerchant = 100) =>
  leaseRuns(service.db, { owner, most, mostOfMerchant, seconds: 30 });
const endLease = (id: string) =>
  service.db.execute(`update test_runs set lease_until = now() - interval '1 second' where id = $1`, [id]);

async function aRun(of: Shop = shop, testCase: TestCaseKey = 'cancelled'): Promise<string> {
  const { status, body } = await of.people.DEVELOPER.post(`/v1/sandbox/test-cases/${testCase}/run`, {});
  expect(status).toBe(201);
  return testRunSchema.parse(body).id;
}

const runOf = async (id: string, of: Shop = shop) =>
  testRunSchema.parse((await of.people.VIEWER.get(`/v1/sandbox/test-cases/runs/${id}`)).body);

describe('a run', () => {
  it('is leased by one of two processes, and its progress and result are stored', async () => {
    const id = await aRun();
    const first = aProcess(async (one) => {
      await one.step('Do something.');
      await one.expect('It is done.', true, '');
    });
    const second = aProcess(() => Promise.reject(new Error('never played')));

    const leased = await Promise.all([lease(first), lease(second)]);
    expect(leased.flat()).toEqual([id]);
    await playRun(leased[0].length === 1 ? first : { ...first, owner: second.owner }, id);

    expect(await runOf(id)).toMatchObject({
      status: 'ENDED',
      result: 'PASSED',
      reason: null,
      startedBy: `user:${shop.people.DEVELOPER.userId}`,
      steps: [{ text: 'Do something.' }],
      expectations: [{ text: 'It is done.', result: 'PASSED' }],
    });
  });

  it('waits while its merchant has as many running runs as it may have', async () => {
    const ids = [await aRun(), await aRun(), await aRun()];
    const process = aProcess(() => Promise.resolve());

    expect((await lease(process, 10, 2)).sort()).toEqual(ids.slice(0, 2).sort());
    expect(await lease(process, 10, 2)).toEqual([]);

    await playRun(process, ids[0] ?? '');
    expect(await lease(process, 10, 2)).toEqual([ids[2]]);
  });

  it('is played again from the beginning when its process has died, and the dead process writes nothing more', async () => {
    const id = await aRun();
    let revive: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (revive = resolve));
    const dead = aProcess(async (one) => {
      await one.expect('Of the dead process.', true, '');
      await hanging;
      await one.expect('Too late.', false, 'it still writes');
    });
    await lease(dead);
    const ofDead = playRun(dead, id).then(
      () => 'ended',
      (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
    );
    await eventually(async () => (await runOf(id)).expectations.length === 1, 'the dead process has begun');
    await endLease(id);
    const next = aProcess((one) => one.expect('Of the next process.', true, ''));

    expect(await lease(next)).toEqual([id]);
    await playRun(next, id);
    revive();

    expect(await ofDead).toBe('LeaseLost');
    expect(await runOf(id)).toMatchObject({
      result: 'PASSED',
      expectations: [{ text: 'Of the next process.', result: 'PASSED' }],
    });
  });

  it('ends with ERROR when two processes have died with it', async () => {
    const id = await aRun();
    for (const process of [1, 2].map(() => aProcess(() => Promise.resolve()))) {
      expect(await lease(process)).toEqual([id]);
      await endLease(id);
    }
    const third = aProcess((one) => one.expect('Never played.', true, ''));

    await lease(third);
    await playRun(third, id);

    expect(await runOf(id)).toMatchObject({ result: 'ERROR', reason: 'The run was interrupted several times.' });
  });

  it.each([
    ['FAILED', null, (one: CasePlayer) => one.expect('It is done.', false, 'It is not.')],
    ['SKIPPED', 'No receiver.', () => Promise.reject(new CaseSkipped('No receiver.'))],
    ['ERROR', 'no answer', () => Promise.reject(new Error('no answer'))],
  ] as const)('ends as %s', async (result, reason, play) => {
    const id = await aRun();
    const process = aProcess(play);
    await lease(process);

    await playRun(process, id);

    expect(await runOf(id)).toMatchObject({ status: 'ENDED', result, reason });
  });

  it('of a merchant with many runs does not delay the run of another merchant', async () => {
    for (let n = 0; n < 4; n += 1) await aRun();
    const other = await openShop(service);
    const id = await aRun(other);

    expect(
      await lease(
        aProcess(() => Promise.resolve()),
        2,
      ),
    ).toContain(id);
  });

  it('streams its progress and ends the stream', async () => {
    const id = await aRun();
    const process = aProcess((one) => one.expect('It is done.', true, ''));
    await lease(process);
    await playRun(process, id);
    const token = await service.tokenOf(shop.people.VIEWER.userId);

    const response = await fetch(`${service.url}/v1/sandbox/test-cases/runs/${id}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();

    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(text).toMatch(/^id: \d+\nevent: run\ndata: \{/m);
    expect(text).toContain('"result":"PASSED"');
    expect(text.endsWith('event: end\ndata: {}\n\n')).toBe(true);
  });

  describe('whose progress is streamed', () => {
    const opened: AbortController[] = [];
    afterEach(() => opened.splice(0).forEach((one) => one.abort()));
    async function watch(id: string, userId: string): Promise<Response> {
      const one = new AbortController();
      opened.push(one);
      const headers = { authorization: `Bearer ${await service.tokenOf(userId)}` };
      return fetch(`${service.url}/v1/sandbox/test-cases/runs/${id}/events`, { headers, signal: one.signal });
    }

    it('has at most 20 streams of one user, in all sessions together', async () => {
      const id = await aRun();
      const { VIEWER, OWNER } = shop.people;
      for (let count = 0; count < 20; count++) expect((await watch(id, VIEWER.userId)).status).toBe(200);

      const [refused, ofOther] = [await watch(id, VIEWER.userId), await watch(id, OWNER.userId)];

      expect([refused.status, ofOther.status]).toEqual([429, 200]);
    });

    it('is no longer sent when the session has ended, without saying that the run has ended', async () => {
      const id = await aRun();
      const { userId } = shop.people.VIEWER;
      const response = await watch(id, userId);
      const ending = `update sessions set ended_at = now(), ended_because = 'logout' where user_id = $1`;
      await service.db.execute(ending, [userId]);

      const text = await response.text();

      expect(text).toMatch(/^id: \d+\nevent: run\n/m);
      expect(text).not.toContain('event: end');
    });
  });

  it('of another merchant does not exist', async () => {
    const id = await aRun();
    const otherShop = await openShop(service);

    for (const path of [`runs/${id}`, `runs/${id}/events`])
      expect(await otherShop.people.OWNER.get(`/v1/sandbox/test-cases/${path}`)).toMatchObject({ status: 404 });
    expect((await otherShop.people.OWNER.get('/v1/sandbox/test-cases/runs')).body).toMatchObject({
      data: [],
      total: 0,
    });
  });

  it('is refused for LIVE, by the route and by the database, and to a REVIEWER', async () => {
    const path = '/v1/sandbox/test-cases/cancelled/run';
    expect(await shop.people.OWNER.post(path, { environment: 'LIVE' })).toMatchObject({ status: 403 });
    expect(await shop.people.REVIEWER.post(path, {})).toMatchObject({ status: 403 });
    const id = await aRun();

    for (const table of ['test_runs', 'test_suites'])
      await expect(service.db.execute(`update ${table} set environment = 'LIVE'`)).rejects.toThrow('check');
    expect(await runOf(id)).toMatchObject({ environment: 'SANDBOX' });
  });
});

describe('a review within a run', () => {
  const review = async (reconciler: KnownExceptions, action: 'resolve' | 'reject') => {
    const id = reconciler.add(shop.merchantId);
    const run = { id: uuidv7(), merchantId: shop.merchantId, startedBy: `api_key:${uuidv7()}` };
    const deps = { db: service.db, reconciler, now: () => new Date(), newId: uuidv7 };
    const outcome = await reviewInRun(deps, run, { id, receivedAmount: '450' }, action, '500').then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
    );
    return { run, outcome, entries: await service.audited(id) };
  };

  it.each([
    ['resolve', 'exception.resolved'],
    ['reject', 'exception.rejected'],
  ] as const)(
    'is in the audit log before and after %s, with the starter of the run as the actor',
    async (action, done) => {
      const { run, outcome, entries } = await review(new KnownExceptions(), action);

      expect(outcome).toBe('done');
      expect(entries).toMatchObject([
        { action: `exception.${action}_asked`, actor: run.startedBy, environment: 'SANDBOX' },
        { action: done, actor: run.startedBy, environment: 'SANDBOX', after: { testRunId: run.id } },
      ]);
      expect(entries[0]).toMatchObject({ before: { expectedAmount: '500' }, after: { action, testRunId: run.id } });
    },
  );

  it('that is refused is in the audit log as refused', async () => {
    const reconciler = new KnownExceptions();
    reconciler.answer = (item) => ({ refusal: { code: 'EXCEPTION_DECIDED', message: 'It is closed.' }, item });

    const { outcome, entries } = await review(reconciler, 'reject');

    expect(outcome).toBe('The review was refused: EXCEPTION_DECIDED.');
    expect(entries.map(({ action }) => action)).toEqual(['exception.reject_asked', 'exception.reject_refused']);
  });
});

describe('a list of runs for continuous integration', () => {
  async function asKey(method: string, path: string, body?: unknown, accept = 'application/json') {
    const tenant = { merchantId: shop.merchantId, environment: 'SANDBOX' } as const;
    const input = { tenant, name: 'CI', scopes: ['sandbox:simulate'] as const };
    const { apiKey } = await service.change((deps, tx) => issueApiKey(deps, tx, input));
    const response = await fetch(service.url + path, {
      method,
      headers: { 'x-api-key': apiKey, accept, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
  }

  it('contains all cases unless some are named, and its results are JSON or JUnit XML', async () => {
    const all = testSuiteSchema.parse(JSON.parse((await asKey('POST', '/v1/sandbox/runs', {})).text));
    const one = testSuiteSchema.parse(
      JSON.parse((await asKey('POST', '/v1/sandbox/runs', { cases: ['cancelled', 'cancelled'] })).text),
    );
    const process = aProcess((each) => each.expect('It is done.', true, ''));
    await lease(process, 100);
    for (const { id } of one.runs) await playRun(process, id);

    const json = await asKey('GET', `/v1/sandbox/runs/${one.id}`);
    const junit = await asKey('GET', `/v1/sandbox/runs/${one.id}`, undefined, 'application/xml');

    expect(all).toMatchObject({ status: 'QUEUED', result: null });
    expect(all.runs.map(({ testCase }) => testCase)).toEqual([...TEST_CASE_KEYS]);
    expect(testSuiteSchema.parse(JSON.parse(json.text))).toMatchObject({ status: 'ENDED', result: 'PASSED' });
    expect(junit.type).toBe('application/xml; charset=utf-8');
    expect(junit.text).toContain('tests="2" failures="0" errors="0" skipped="0"');
  });

  it('is refused when too many runs of the merchant have not ended', async () => {
    const cases = Array.from({ length: 100 }, () => 'cancelled');
    expect((await asKey('POST', '/v1/sandbox/runs', { cases })).status).toBe(201);

    const refused = await asKey('POST', '/v1/sandbox/runs', { cases });

    expect(refused.status).toBe(429);
    expect(refused.text).toContain('TEST_RUN_LIMIT_REACHED');
    expect(MOST_OPEN_RUNS).toBeLessThan(200);
    const [counted] = await service.db.query<{ total: number }>('select count(*)::int as total from test_runs');
    expect(counted?.total).toBe(100);
  });

  it('needs the scope, and names unknown cases', async () => {
    const { status, text } = await asKey('POST', '/v1/sandbox/runs', { cases: ['unknown'] });

    expect(status).toBe(400);
    expect(text).toContain('cases must contain only');
    expect((await call(`${service.url}/v1/sandbox/runs`, 'POST', undefined, {})).status).toBe(401);
  });
});
