import { formatAmount, internalReceiverUsageRequestSchema, type ReceiverUsageList } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { findDailyTotals } from './receiver-daily-total-repository';
import { dayInDhaka, firstOfMonth } from '../domain/day';
import { NOTHING_TAKEN } from '../domain/receiver-choice';

export interface ReceiverUsageDeps {
  readonly db: Queryable;
  readonly now: () => Date;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `POST /internal/v1/receiver-usage`: what these receiver accounts were paid today and this month. */
export function mountReceiverUsage(app: Express, { db, now, peerSecrets }: ReceiverUsageDeps): void {
  app.post(
    '/internal/v1/receiver-usage',
    serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ body: internalReceiverUsageRequestSchema }, async ({ body: { receiverAccountIds } }) => {
      const day = dayInDhaka(now());
      const totals = await findDailyTotals(db, receiverAccountIds, { first: firstOfMonth(day), day });
      const data = receiverAccountIds.map((id) => {
        const { ofDay, ofMonth, paymentsOfDay } = totals.get(id) ?? NOTHING_TAKEN;
        return { id, dayAmount: formatAmount(ofDay), monthAmount: formatAmount(ofMonth), dayCount: paymentsOfDay };
      });
      return { status: 200, body: { day, data } satisfies ReceiverUsageList };
    }),
  );
}
