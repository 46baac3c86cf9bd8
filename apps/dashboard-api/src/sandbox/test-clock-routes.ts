import { testClockOperations } from '@pay/contracts';
import { callerOf, sessionOf, type Serve } from '@pay/http';
import type { Response } from 'express';
import { assertSandbox } from './read-simulation';
import { advanceTestClock, getTestClock, resetTestClock, type ClockUser, type TestClockDeps } from './test-clock';

export function mountTestClock(serve: Serve, deps: TestClockDeps): void {
  serve(testClockOperations.getTestClock, async ({ res }) => ({
    status: 200,
    body: await getTestClock(deps, personOf(res).merchantId),
  }));
  serve(testClockOperations.advanceTestClock, async ({ body, res }) => ({
    status: 200,
    body: await advanceTestClock(deps, personOf(res), body),
  }));
  serve(testClockOperations.resetTestClock, async ({ res }) => ({
    status: 200,
    body: await resetTestClock(deps, personOf(res)),
  }));

  serve(testClockOperations.getTestClockByKey, async ({ query, res }) => {
    assertSandbox(query.environment);
    return { status: 200, body: await getTestClock(deps, keyOf(res).merchantId) };
  });
  serve(testClockOperations.advanceTestClockByKey, async ({ body, res }) => ({
    status: 200,
    body: await advanceTestClock(deps, keyOf(res), body),
  }));
  serve(testClockOperations.resetTestClockByKey, async ({ body, res }) => {
    assertSandbox(body.environment);
    return { status: 200, body: await resetTestClock(deps, keyOf(res)) };
  });
}

function personOf(response: Response): ClockUser {
  const { merchantId, userId } = sessionOf(response);
  return { merchantId, actor: `user:${userId}` };
}

function keyOf(response: Response): ClockUser {
  const { merchantId, environment, keyId } = callerOf(response);
  assertSandbox(environment);
  return { merchantId, actor: `api_key:${keyId}` };
}
