import { testClockStepSchema, type MovedWindows, type Tenant, type TestClockStep } from '@pay/contracts';
import { sandboxTenantOf, type InternalRoutes } from '@pay/http';

export interface TestClockDeps {
  readonly moveMatchWindows: (tenant: Tenant, step: TestClockStep) => Promise<MovedWindows>;
}

/** The part of a SANDBOX test clock that moves match windows. */
export function mountTestClock(dashboard: InternalRoutes, { moveMatchWindows }: TestClockDeps): void {
  dashboard.post('/internal/v1/test-clock/steps', { body: testClockStepSchema }, ({ body, req }) =>
    moveMatchWindows(sandboxTenantOf(req), body),
  );
}
