import { findProblemsRequestSchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findProblems } from './problem-repository';

/** `POST /internal/v1/problems`: silent devices and missing SMS of these tenants. */
export function mountProblems(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.post('/internal/v1/problems', { body: findProblemsRequestSchema }, ({ body }) =>
    findProblems(db, body.tenants),
  );
}
