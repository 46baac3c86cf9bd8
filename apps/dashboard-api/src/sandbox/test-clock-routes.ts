import { testClockOperations } from '@pay/contracts';
import type { Caller, Serve, Session } from '@pay/http';
import { assertSandbox } from './read-simulation';
import { advanceTestClock, getTestClock, resetTestClock, type ClockUser, type TestClockDeps } from './test-clock';

export function mountTestClock(serve: Serve, deps: TestClockDeps): void {
  serve(testClockOperations.getTestClock, ({ session }) => getTestClock(deps, session.merchantId));
  serve(testClockOperations.advanceTestClock, ({ session, body }) => advanceTestClock(deps, personOf(session), body));
  serve(testClockOperations.resetTestClock, ({ session }) => resetTestClock(deps, personOf(session)));

  serve(testClockOperations.getTestClockByKey, async ({ caller, query }) => {
    assertSandbox(query.environment);
    return getTestClock(deps, keyOf(caller).merchantId);
  });
  serve(testClockOperations.advanceTestClockByKey, ({ caller, body }) => advanceTestClock(deps, keyOf(caller), body));
  serve(testClockOperations.resetTestClockByKey, async ({ caller, body }) => {
    assertSandbox(body.environment);
    return resetTestClock(deps, keyOf(caller));
  });
}

function personOf({ merchantId, userId }: Session): ClockUser {
  return { merchantId, actor: `user:${userId}` };
}

function keyOf({ merchantId, environment, keyId }: Caller): ClockUser {
  assertSandbox(environment);
  return { merchantId, actor: `api_key:${keyId}` };
}
