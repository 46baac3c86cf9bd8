import { internalMissingSmsQuerySchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { listMissingSms } from './list-missing-sms';

/** `GET /internal/v1/missing-sms`: what the dashboard shows, of one environment of a merchant or of both. */
export function mountInternalMissingSms(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get(
    '/internal/v1/missing-sms',
    { query: internalMissingSmsQuerySchema },
    ({ query: { merchantId, ...filter } }) => listMissingSms({ db }, merchantId, filter),
  );
}
