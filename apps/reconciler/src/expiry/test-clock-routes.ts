import { testClockStepSchema, type MovedWindows, type Tenant, type TestClockStep } from '@pay/contracts';
import { route, sandboxTenantOf, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';

export interface TestClockDeps {
  readonly moveMatchWindows: (tenant: Tenant, step: TestClockStep) => Promise<MovedWindows>;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** The part of a SANDBOX test clock that moves match windows. */
export function mountTestClock(app: Express, { moveMatchWindows, peerSecrets }: TestClockDeps): void {
  app.post(
    '/internal/v1/test-clock/steps',
    serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ body: testClockStepSchema }, async ({ body, req }) => ({
      status: 200,
      body: await moveMatchWindows(sandboxTenantOf(req), body),
    })),
  );
}
