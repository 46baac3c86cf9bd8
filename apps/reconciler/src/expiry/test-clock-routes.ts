import { testClockStepSchema } from '@pay/contracts';
import { sandboxTenantOf, type InternalRoutes } from '@pay/http';
import { moveMatchWindows, type MoveMatchWindowsDeps } from './move-match-windows';

/** The part of a SANDBOX test clock that moves match windows. */
export function mountTestClock(dashboard: InternalRoutes, deps: MoveMatchWindowsDeps): void {
  dashboard.post('/internal/v1/test-clock/steps', { body: testClockStepSchema }, ({ body, req }) =>
    moveMatchWindows(deps, sandboxTenantOf(req), body),
  );
}
