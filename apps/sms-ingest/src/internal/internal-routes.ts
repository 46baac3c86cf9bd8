import {
  BusinessError,
  erasePayersRequestSchema,
  findPayersRequestSchema,
  findProblemsRequestSchema,
  internalDailyBalancesQuerySchema,
  internalDailyCloseQuerySchema,
  internalMissingSmsQuerySchema,
  internalSimulationSchema,
  internalTrxIdRequestSchema,
} from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { z } from 'zod';
import { findProblems } from '../alerts/problem-repository';
import { closeDays, type CloseDaysDeps } from '../balances/close-days';
import { listDailyBalances } from '../balances/list-daily-balances';
import { listMissingSms } from '../balances/list-missing-sms';
import { listUndecided } from '../decisions/list-undecided';
import { findDeviceLastSeen } from '../devices/find-device-last-seen';
import type { ServiceDeps } from '../service-deps';
import { newTrxId, simulateSms, type SimulateSmsDeps } from '../simulator/simulate-sms';
import { erasePayers, findPayers, type ErasePayersDeps } from '../texts/erase-payers';

const ofDevice = z.object({ id: z.uuid() });

/** The oldest undecided SMS per tenant, for which expiry waits. */
export function mountForReconciler(reconciler: InternalRoutes, { db }: Pick<ServiceDeps, 'db'>): void {
  reconciler.get('/internal/v1/undecided', {}, async () => {
    const undecided = await listUndecided({ db });
    if (undecided === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
    return undecided;
  });
}

export interface DashboardRoutesDeps extends CloseDaysDeps, ErasePayersDeps {
  readonly db: ErasePayersDeps['db'];
  readonly simulator: SimulateSmsDeps;
}

/** Routes for dashboard-api, besides those of SMS events. */
export function mountForDashboard(dashboard: InternalRoutes, deps: DashboardRoutesDeps): void {
  const { db, simulator } = deps;

  dashboard.get('/internal/v1/devices/:id', { params: ofDevice }, async ({ params, req }) => ({
    sighting: await findDeviceLastSeen({ db }, tenantOf(req), params.id),
  }));
  // Of one environment of the merchant or of both.
  dashboard.get(
    '/internal/v1/missing-sms',
    { query: internalMissingSmsQuerySchema },
    ({ query: { merchantId, ...filter } }) => listMissingSms({ db }, merchantId, filter),
  );
  dashboard.post('/internal/v1/problems', { body: findProblemsRequestSchema }, ({ body }) =>
    findProblems(db, body.tenants, body.kinds),
  );
  dashboard.get('/internal/v1/daily-close', { query: internalDailyCloseQuerySchema }, ({ query }) =>
    closeDays(deps, query),
  );
  dashboard.get('/internal/v1/daily-balances', { query: internalDailyBalancesQuerySchema }, ({ query }) =>
    listDailyBalances(deps, query),
  );

  dashboard.post('/internal/v1/sandbox/trx-ids', { body: internalTrxIdRequestSchema }, ({ body }) => ({
    trxId: newTrxId(body.paymentMethod, simulator.now()),
  }));
  dashboard.post('/internal/v1/sandbox/sms', { body: internalSimulationSchema, anyText: true }, ({ body, req }) =>
    simulateSms(simulator, tenantOf(req), body),
  );

  dashboard.post('/internal/v1/payers/find', { body: findPayersRequestSchema }, ({ body }) => findPayers(deps, body));
  dashboard.post('/internal/v1/payers/erase', { body: erasePayersRequestSchema }, ({ body }) =>
    erasePayers(deps, body),
  );
}
