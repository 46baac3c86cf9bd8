import { findProblemsRequestSchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findProblems } from './problem-repository';

/** `POST /internal/v1/problems`: exceptions of these tenants that have been open for long, by kind. */
export function mountProblems(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.post('/internal/v1/problems', { body: findProblemsRequestSchema }, ({ body }) =>
    findProblems(db, body.tenants),
  );
}
