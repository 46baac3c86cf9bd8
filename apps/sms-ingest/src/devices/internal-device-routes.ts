import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { z } from 'zod';
import { findDeviceLastSeen } from './find-device-last-seen';

/** `GET /internal/v1/devices/:id`: the state of a phone for the dashboard. */
export function mountInternalDevices(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get('/internal/v1/devices/:id', { params: z.object({ id: z.uuid() }) }, async ({ params, req }) => ({
    sighting: await findDeviceLastSeen({ db }, tenantOf(req), params.id),
  }));
}
