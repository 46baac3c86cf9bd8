import { erasePayersRequestSchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import { retryOnConflict, type Database } from '@pay/persistence';
import { erasePayers } from './erase-payers';

/** `/internal/v1/payers/erase`: erases the numbers of payers of one merchant, for dashboard-api only. */
export function mountPayers(dashboard: InternalRoutes, db: Database): void {
  dashboard.post('/internal/v1/payers/erase', { body: erasePayersRequestSchema }, ({ body }) =>
    retryOnConflict(db, (tx) => erasePayers(tx, body)),
  );
}
