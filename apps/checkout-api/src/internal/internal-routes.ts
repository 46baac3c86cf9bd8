import { BusinessError, type InternalCheckoutActivity } from '@pay/contracts';
import { tenantOf, type RoutesFor } from '@pay/http';
import { z } from 'zod';
import { listActivity } from '../activity/activity-repository';
import { listUndecided } from '../claims/list-undecided';
import type { ServiceDeps } from '../service-deps';

const ofIntent = z.object({ intentId: z.uuid() });

export function mountInternal(routesFor: RoutesFor, { db }: Pick<ServiceDeps, 'db'>): void {
  routesFor('reconciler').get('/internal/v1/undecided', {}, async () => {
    const undecided = await listUndecided({ db });
    if (undecided === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
    return undecided;
  });
  routesFor('dashboard-api').get(
    '/internal/v1/checkouts/:intentId/activity',
    { params: ofIntent },
    async ({ params: { intentId }, req }): Promise<InternalCheckoutActivity> => ({
      activity: await listActivity(db, tenantOf(req), intentId),
    }),
  );
}
