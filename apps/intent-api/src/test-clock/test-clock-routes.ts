import { lastExpiryQuerySchema, testClockStepSchema } from '@pay/contracts';
import { sandboxTenantOf, type InternalRoutes } from '@pay/http';
import { findLastExpiry } from './test-clock-step-repository';
import { moveExpiries, type MoveExpiriesDeps } from './move-expiries';

export function mountTestClock(dashboard: InternalRoutes, deps: MoveExpiriesDeps): void {
  dashboard.get('/internal/v1/test-clock/last-expiry', { query: lastExpiryQuerySchema }, async ({ query, req }) => ({
    milliseconds: await findLastExpiry(deps.db, sandboxTenantOf(req), query.within),
  }));
  dashboard.post('/internal/v1/test-clock/steps', { body: testClockStepSchema }, ({ body, req }) =>
    moveExpiries(deps, sandboxTenantOf(req), body),
  );
}
