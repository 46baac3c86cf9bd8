import { internalMissingSmsQuerySchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { listMissingSms } from './list-missing-sms';

export interface InternalMissingSmsDeps {
  readonly db: Queryable;
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** `GET /internal/v1/missing-sms`: what the dashboard shows, of one environment of a merchant or of both. */
export function mountInternalMissingSms(app: Express, { db, peerSecrets }: InternalMissingSmsDeps): void {
  app.get(
    '/internal/v1/missing-sms',
    serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: internalMissingSmsQuerySchema }, async ({ query: { merchantId, ...filter } }) => ({
      status: 200,
      body: await listMissingSms({ db }, merchantId, filter),
    })),
  );
}
