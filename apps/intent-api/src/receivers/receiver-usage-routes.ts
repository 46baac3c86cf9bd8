import { formatAmount, internalReceiverUsageRequestSchema, type ReceiverUsageList } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findDailyTotals } from './receiver-daily-total-repository';
import { dayInDhaka, firstOfMonth } from '../domain/day';
import { NO_TOTALS } from '../domain/receiver-choice';

export interface ReceiverUsageDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

export function mountReceiverUsage(dashboard: InternalRoutes, { db, now }: ReceiverUsageDeps): void {
  dashboard.post(
    '/internal/v1/receiver-usage',
    { body: internalReceiverUsageRequestSchema },
    async ({ body: { receiverAccountIds } }) => {
      const day = dayInDhaka(now());
      const totals = await findDailyTotals(db, receiverAccountIds, { first: firstOfMonth(day), day });
      const data = receiverAccountIds.map((id) => {
        const { ofDay, ofMonth, paymentsOfDay } = totals.get(id) ?? NO_TOTALS;
        return { id, dayAmount: formatAmount(ofDay), monthAmount: formatAmount(ofMonth), dayCount: paymentsOfDay };
      });
      return { day, data } satisfies ReceiverUsageList;
    },
  );
}
