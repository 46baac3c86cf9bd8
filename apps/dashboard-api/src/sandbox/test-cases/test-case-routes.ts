import { sandboxOperations, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import type { Request } from 'express';
import { assertSandbox } from '../read-simulation';
import { junitOf } from './junit';
import { casesOf, createSuite, findSuite, findTestRun, listTestRuns, type RunSuitesDeps } from './run-suites';
import type { RunStreams } from './run-streams';
import { describeTestCases } from './test-cases';

export interface TestCaseRoutesDeps extends RunSuitesDeps {
  readonly runStreams: Pick<RunStreams, 'open'>;
}

export function mountTestCases(serve: Serve, deps: TestCaseRoutesDeps): void {
  const { listTestCases, runTestCase, listTestRuns: list, getTestRun, watchTestRun } = sandboxOperations;
  serve(listTestCases, ({ query: { language } }) => ({ data: describeTestCases(language) }));
  serve(runTestCase, async ({ session: { merchantId, userId }, params, body }) => {
    const successUrl = body.successUrl ?? null;
    const request = { merchantId, startedBy: `user:${userId}`, successUrl, cases: [params.key] };
    const [run] = (await createSuite(deps, request)).runs;
    if (run === undefined) throw new Error('invariant: a suite of one case has one run');
    return run;
  });
  serve(list, ({ session, query }) => listTestRuns(deps, session.merchantId, query));
  serve(getTestRun, ({ session, params }) => findTestRun(deps, session.merchantId, params.id));
  serve(watchTestRun, async ({ session, params, req, res }) => {
    const { id } = await findTestRun(deps, session.merchantId, params.id);
    deps.runStreams.open(session, { merchantId: session.merchantId, id }, res, req.method);
  });
  serve(sandboxOperations.createTestSuite, async ({ caller: { merchantId, environment, keyId }, body }) => {
    assertSandbox(environment);
    const request = { merchantId, startedBy: `api_key:${keyId}`, successUrl: body.successUrl ?? null };
    return createSuite(deps, { ...request, cases: casesOf(body.cases) });
  });
  serve(sandboxOperations.getTestSuite, async ({ caller: { merchantId, environment }, params, query, req, res }) => {
    // LIVE has no test cases, so every id is unknown there.
    if (environment !== 'SANDBOX') throw new BusinessError('NOT_FOUND');
    const suite = await findSuite(deps, merchantId, params.id);
    res.setHeader('Vary', 'Accept');
    if ((query.format ?? formatOf(req)) === 'json') return suite;
    res.setHeader('Content-Type', 'application/xml; charset=utf-8');
    return junitOf(suite);
  });
}

/** Default: JSON. */
function formatOf(request: Request): 'json' | 'junit' {
  return request.accepts(['application/json', 'application/xml']) === 'application/xml' ? 'junit' : 'json';
}
