import { erasePayersRequestSchema, findPayersRequestSchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import { erasePayers, findPayers, type ErasePayersDeps } from './erase-payers';

/** `/internal/v1/payers`: finds and erases the numbers of payers of one merchant, for dashboard-api only. */
export function mountInternalPayers(dashboard: InternalRoutes, deps: ErasePayersDeps): void {
  dashboard.post('/internal/v1/payers/find', { body: findPayersRequestSchema }, ({ body }) => findPayers(deps, body));
  dashboard.post('/internal/v1/payers/erase', { body: erasePayersRequestSchema }, ({ body }) =>
    erasePayers(deps, body),
  );
}
