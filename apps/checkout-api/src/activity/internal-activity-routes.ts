import type { InternalCheckoutActivity } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Database } from '@pay/persistence';
import { z } from 'zod';
import { listActivity } from './activity-repository';

const params = z.object({ intentId: z.uuid() });

/** `/internal/v1/checkouts/:intentId/activity`: the checkout activity for the dashboard's page of a payment. */
export function mountInternalActivity(dashboard: InternalRoutes, db: Database): void {
  dashboard.get(
    '/internal/v1/checkouts/:intentId/activity',
    { params },
    async ({ params: { intentId }, req }): Promise<InternalCheckoutActivity> => ({
      activity: await listActivity(db, tenantOf(req), intentId),
    }),
  );
}
