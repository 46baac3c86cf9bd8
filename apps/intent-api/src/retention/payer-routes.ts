import {
  containsMsisdn,
  erasePayersRequestSchema,
  findPayersRequestSchema,
  PAYER_PAGE,
  type ErasedPayers,
  type PayerPage,
} from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { eraseExpectedPayers, pageOfExpectedPayers } from './expected-payer-repository';

/** Expected payers of a merchant, for dashboard-api only. */
export function mountPayers(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.post(
    '/internal/v1/payers/find',
    { body: findPayersRequestSchema },
    async ({ body: { merchantId, msisdns, after } }) => {
      const { payers, last } = await pageOfExpectedPayers(db, { merchantId, after, rows: PAYER_PAGE });
      const found = payers.filter(({ msisdn }) => containsMsisdn(msisdn, msisdns));
      return { ids: found.map(({ id }) => id), next: last } satisfies PayerPage;
    },
  );
  dashboard.post(
    '/internal/v1/payers/erase',
    { body: erasePayersRequestSchema },
    async ({ body: { merchantId, paymentIntentIds } }) => {
      const erased = new Set(await eraseExpectedPayers(db, paymentIntentIds, merchantId));
      const openIds = paymentIntentIds.filter((id) => !erased.has(id));
      return { erased: erased.size, openIds } satisfies ErasedPayers;
    },
  );
}
