import { operationServer, type SessionCheck } from '@pay/http';
import type { Express } from 'express';
import { sandboxApiKeys } from './find-sandbox-api-key';
import type { SandboxLimits } from './limit-sandbox';
import { mountSimulator, type SimulatorRoutesDeps } from './simulator-routes';
import { mountTestCases, type TestCaseRoutesDeps } from './test-cases/test-case-routes';
import { mountTestEndpoints, type TestEndpointRoutesDeps } from './test-endpoints/test-endpoint-routes';
import type { TestClockDeps } from './test-clock';
import { mountTestClock } from './test-clock-routes';

export interface SandboxDeps extends SimulatorRoutesDeps, TestCaseRoutesDeps, TestEndpointRoutesDeps, TestClockDeps {
  readonly session: SessionCheck;
  readonly limits: SandboxLimits;
}

/** Uses the SANDBOX of the merchant of the session or API key. */
export function mountSandbox(app: Express, { session, limits, ...deps }: SandboxDeps): void {
  const { before, guard, after } = limits;
  app.use(before);
  const serve = operationServer(app, { session, findApiKey: sandboxApiKeys(deps), guard });
  mountSimulator(serve, deps);
  mountTestCases(serve, deps);
  mountTestEndpoints(serve, { ...deps, limits });
  mountTestClock(serve, deps);
  app.use(after);
}
