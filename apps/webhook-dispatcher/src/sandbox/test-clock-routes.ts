import { testClockStepSchema, unsettledIntentsRequestSchema } from '@pay/contracts';
import { route, sandboxTenantOf, serviceAuth, type PeerSecret } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import type { Express } from 'express';
import { countUnsettled } from './test-clock-step-repository';
import { playDeliveries } from './play-deliveries';

export interface TestClockDeps {
  readonly db: Database;
  readonly poke: () => void;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `/internal/v1/test-clock`: the part of a SANDBOX test clock that plays the waits of deliveries. */
export function mountTestClock(app: Express, deps: TestClockDeps & { readonly log: Logger }): void {
  const { db, peerSecrets } = deps;
  const fromDashboard = serviceAuth({
    audience: 'webhook-dispatcher',
    secrets: peerSecrets,
    allow: ['dashboard-api'],
  });
  app.post(
    '/internal/v1/test-clock/steps',
    fromDashboard,
    route({ body: testClockStepSchema }, async ({ body, req }) => ({
      status: 200,
      body: await playDeliveries(deps, sandboxTenantOf(req), body),
    })),
  );
  app.post(
    '/internal/v1/test-clock/unsettled-intents',
    fromDashboard,
    route({ body: unsettledIntentsRequestSchema }, async ({ body, req }) => ({
      status: 200,
      body: { unsettled: await countUnsettled(db, sandboxTenantOf(req), body.intentIds) },
    })),
  );
}
