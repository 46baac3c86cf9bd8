import { dashboardOperations, receiverUsageListSchema } from '@pay/contracts';
import type { Serve, ServiceClient } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { listOwn } from '../changes/own-records';
import { answerOf } from '../clients/answer-of';

export interface ReceiverUsageDeps {
  readonly db: Queryable;
  readonly intentApi: Pick<ServiceClient, 'request'>;
}

const MOST_ACCOUNTS = 1_000;

export function mountReceiverUsage(serve: Serve, deps: ReceiverUsageDeps): void {
  serve(dashboardOperations.listReceiverUsage, async ({ session, query: { environment } }) => {
    const filter = { merchantId: session.merchantId, environment };
    const { data } = await listOwn(deps.db, 'receiver_account', filter, { page: 1, limit: MOST_ACCOUNTS });
    const usage = deps.intentApi.request('POST', '/internal/v1/receiver-usage', {
      schema: receiverUsageListSchema,
      idempotent: true,
      body: { receiverAccountIds: data.map(({ id }) => id) },
    });
    return answerOf(usage);
  });
}
