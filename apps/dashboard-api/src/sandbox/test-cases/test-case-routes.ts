import { sandboxOperations, BusinessError } from '@pay/contracts';
import { callerOf, sessionOf, type Serve } from '@pay/http';
import type { Request } from 'express';
import { assertSandbox } from '../read-simulation';
import { junitOf } from './junit';
import { casesOf, createSuite, findSuite, findTestRun, listTestRuns, type RunSuitesDeps } from './run-suites';
import type { RunStreams } from './run-streams';
import { describeTestCases } from './test-cases';

export interface TestCaseRoutesDeps extends RunSuitesDeps {
  readonly runStreams: RunStreams;
}

export function mountTestCases(serve: Serve, deps: TestCaseRoutesDeps): void {
  const { listTestCases, runTestCase, listTestRuns: list, getTestRun, watchTestRun } = sandboxOperations;
  serve(listTestCases, ({ query: { language } }) =>
    Promise.resolve({ status: 200, body: { data: describeTestCases(language) } }),
  );
  serve(runTestCase, async ({ params, body, res }) => {
    const { merchantId, userId } = sessionOf(res);
    const successUrl = body.successUrl ?? null;
    const request = { merchantId, startedBy: `user:${userId}`, successUrl, cases: [params.key] };
    const [run] = (await createSuite(deps, request)).runs;
    if (run === undefined) throw new Error('invariant: a suite of one case has one run');
    return { status: 201, body: run };
  });
  serve(list, async ({ query, res }) => ({
    status: 200,
    body: await listTestRuns(deps, sessionOf(res).merchantId, query),
  }));
  serve(getTestRun, async ({ params, res }) => ({
    status: 200,
    body: await findTestRun(deps, sessionOf(res).merchantId, params.id),
  }));
  serve(watchTestRun, async ({ params, req, res }) => {
    const run = { merchantId: sessionOf(res).merchantId, id: params.id };
    await deps.runStreams.open(run, res, req.method === 'HEAD');
    return { status: 200 };
  });
  serve(sandboxOperations.createTestSuite, async ({ body, res }) => {
    const { merchantId, environment, keyId } = callerOf(res);
    assertSandbox(environment);
    const request = { merchantId, startedBy: `api_key:${keyId}`, successUrl: body.successUrl ?? null };
    return { status: 201, body: await createSuite(deps, { ...request, cases: casesOf(body.cases) }) };
  });
  serve(sandboxOperations.getTestSuite, async ({ params, query, req, res }) => {
    const { merchantId, environment } = callerOf(res);
    // LIVE has no test cases, so every id is unknown there.
    if (environment !== 'SANDBOX') throw new BusinessError('NOT_FOUND');
    const suite = await findSuite(deps, merchantId, params.id);
    const headers = { Vary: 'Accept' };
    if ((query.format ?? formatOf(req)) === 'json') return { status: 200, body: suite, headers };
    return {
      status: 200,
      body: junitOf(suite),
      headers: { ...headers, 'Content-Type': 'application/xml; charset=utf-8' },
    };
  });
}

/** Default: JSON. */
function formatOf(request: Request): 'json' | 'junit' {
  return request.accepts(['application/json', 'application/xml']) === 'application/xml' ? 'junit' : 'json';
}
