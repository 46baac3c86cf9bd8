import { testClockStepSchema, unsettledIntentsRequestSchema } from '@pay/contracts';
import { sandboxTenantOf, type InternalRoutes } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { countUnsettled } from './test-clock-step-repository';
import { playDeliveries } from './play-deliveries';

export interface TestClockDeps {
  readonly db: Database;
  readonly poke: () => void;
}

export function mountTestClock(dashboard: InternalRoutes, deps: TestClockDeps & { readonly log: Logger }): void {
  dashboard.post('/internal/v1/test-clock/steps', { body: testClockStepSchema }, ({ body, req }) =>
    playDeliveries(deps, sandboxTenantOf(req), body),
  );
  dashboard.post(
    '/internal/v1/test-clock/unsettled-intents',
    { body: unsettledIntentsRequestSchema },
    async ({ body, req }) => ({ unsettled: await countUnsettled(deps.db, sandboxTenantOf(req), body.intentIds) }),
  );
}
