import { operationServer, type SessionCheck } from '@pay/http';
import type { Express } from 'express';
import { sandboxApiKeys } from './find-sandbox-api-key';
import { mountSimulator, type SimulatorRoutesDeps } from './simulator-routes';
import { mountTestCases, type TestCaseRoutesDeps } from './test-cases/test-case-routes';
import { mountTestEndpoints, type TestEndpointRoutesDeps } from './test-endpoints/test-endpoint-routes';
import { mountTestClock, type TestClockDeps } from './test-clock-routes';

export interface SandboxDeps extends SimulatorRoutesDeps, TestCaseRoutesDeps, TestEndpointRoutesDeps, TestClockDeps {
  readonly session: SessionCheck;
}

/** `/v1/sandbox/*`: SANDBOX of the merchant of the session or API key. */
export function mountSandbox(app: Express, { session, ...deps }: SandboxDeps): void {
  const serve = operationServer(app, { session, findApiKey: sandboxApiKeys(deps) });
  mountSimulator(serve, deps);
  mountTestCases(serve, deps);
  mountTestEndpoints(serve, deps);
  mountTestClock(serve, deps);
}
