import { lastExpiryQuerySchema, testClockStepSchema } from '@pay/contracts';
import { route, sandboxTenantOf, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { findLastExpiry } from './test-clock-step-repository';
import { moveExpiries, type MoveExpiriesDeps } from './move-expiries';

export interface TestClockDeps extends MoveExpiriesDeps {
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `/internal/v1/test-clock`: the part of a SANDBOX test clock that moves expiries. */
export function mountTestClock(app: Express, deps: TestClockDeps): void {
  const fromDashboard = serviceAuth({ audience: 'intent-api', secrets: deps.peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/test-clock/last-expiry',
    fromDashboard,
    route({ query: lastExpiryQuerySchema }, async ({ query, req }) => ({
      status: 200,
      body: { milliseconds: await findLastExpiry(deps.db, sandboxTenantOf(req), query.within) },
    })),
  );
  app.post(
    '/internal/v1/test-clock/steps',
    fromDashboard,
    route({ body: testClockStepSchema }, async ({ body, req }) => ({
      status: 200,
      body: await moveExpiries(deps, sandboxTenantOf(req), body),
    })),
  );
}
