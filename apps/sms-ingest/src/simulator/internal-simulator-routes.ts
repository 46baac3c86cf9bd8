import { internalSimulationSchema, internalTrxIdRequestSchema } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { newTrxId, simulateSms, type SimulateSmsDeps } from './simulate-sms';

/**
 * `POST /internal/v1/sandbox/sms`: an SMS of the simulator, of the tenant of the headers; 403 for LIVE.
 * `POST /internal/v1/sandbox/trx-ids`: a new TrxID of this minute.
 */
export function mountInternalSimulator(dashboard: InternalRoutes, simulator: SimulateSmsDeps): void {
  dashboard.post('/internal/v1/sandbox/trx-ids', { body: internalTrxIdRequestSchema }, ({ body }) => ({
    trxId: newTrxId(body.paymentMethod, simulator.now()),
  }));
  dashboard.post('/internal/v1/sandbox/sms', { body: internalSimulationSchema, anyText: true }, ({ body, req }) =>
    simulateSms(simulator, tenantOf(req), body),
  );
}
