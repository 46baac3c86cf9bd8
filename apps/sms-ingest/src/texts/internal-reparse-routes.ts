import { internalReparseRequestSchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { reparseSms, type ReparseSmsDeps } from './reparse-sms';

export interface InternalReparseDeps extends ReparseSmsDeps {
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/**
 * `POST /internal/v1/sms-events/reparse`: reads UNPARSED texts of a tenant again. Who may ask for it is dashboard-api's
 * business.
 */
export function mountInternalReparse(app: Express, deps: InternalReparseDeps): void {
  app.post(
    '/internal/v1/sms-events/reparse',
    serviceAuth({ audience: 'sms-ingest', secrets: deps.peerSecrets, allow: ['dashboard-api'] }),
    route({ body: internalReparseRequestSchema }, async ({ body: { since, until, ...rest }, req }) => ({
      status: 200,
      body: await reparseSms(deps, {
        ...rest,
        tenant: tenantOf(req),
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
      }),
    })),
  );
}
