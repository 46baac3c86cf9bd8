import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { ServiceName } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { findDeviceLastSeen } from './find-device-last-seen';

export interface InternalDevicesDeps {
  readonly db: Queryable;
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** `GET /internal/v1/devices/:id`: what the dashboard shows of a phone. */
export function mountInternalDevices(app: Express, { db, peerSecrets }: InternalDevicesDeps): void {
  app.get(
    '/internal/v1/devices/:id',
    serviceAuth({ audience: 'sms-ingest', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ params: z.object({ id: z.uuid() }) }, async ({ params, req }) => ({
      status: 200,
      body: { sighting: await findDeviceLastSeen({ db }, tenantOf(req), params.id) },
    })),
  );
}
