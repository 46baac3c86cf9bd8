import { internalSimulationSchema, internalTrxIdRequestSchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { newTrxId, simulateSms, type SimulateSmsDeps } from './simulate-sms';

export interface InternalSimulatorDeps {
  readonly simulator: SimulateSmsDeps;
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/**
 * `POST /internal/v1/sandbox/sms`: an SMS of the simulator, of the tenant of the headers; 403 for LIVE.
 * `POST /internal/v1/sandbox/trx-ids`: a new TrxID of this minute.
 */
export function mountInternalSimulator(app: Express, { simulator, peerSecrets }: InternalSimulatorDeps): void {
  const fromDashboard = serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.post(
    '/internal/v1/sandbox/trx-ids',
    fromDashboard,
    route({ body: internalTrxIdRequestSchema }, ({ body }) => ({
      status: 200,
      body: { trxId: newTrxId(body.paymentMethod, simulator.now()) },
    })),
  );
  app.post(
    '/internal/v1/sandbox/sms',
    fromDashboard,
    route({ body: internalSimulationSchema, anyText: true }, async ({ body, req }) => ({
      status: 200,
      body: await simulateSms(simulator, tenantOf(req), body),
    })),
  );
}
