import { internalDailyBalancesQuerySchema, internalDailyCloseQuerySchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import { closeDays, type CloseDaysDeps } from './close-days';
import { listDailyBalances } from './list-daily-balances';

/** Routes of the daily close for the dashboard. */
export function mountInternalDailyClose(dashboard: InternalRoutes, deps: CloseDaysDeps): void {
  dashboard.get('/internal/v1/daily-close', { query: internalDailyCloseQuerySchema }, ({ query }) =>
    closeDays(deps, query),
  );
  dashboard.get('/internal/v1/daily-balances', { query: internalDailyBalancesQuerySchema }, ({ query }) =>
    listDailyBalances(deps, query),
  );
}
