import { internalSimulationSchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { simulateSms, type SimulateSmsDeps } from '../simulator/simulate-sms';

export interface InternalSimulatorDeps {
  readonly simulator: SimulateSmsDeps;
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** `POST /internal/v1/sandbox/sms`: an SMS of the simulator, of the tenant of the headers. 403 for LIVE. */
export function mountInternalSimulator(app: Express, { simulator, peerSecrets }: InternalSimulatorDeps): void {
  app.post(
    '/internal/v1/sandbox/sms',
    serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ body: internalSimulationSchema, anyText: true }, async ({ body, req }) => ({
      status: 200,
      body: await simulateSms(simulator, tenantOf(req), body),
    })),
  );
}
