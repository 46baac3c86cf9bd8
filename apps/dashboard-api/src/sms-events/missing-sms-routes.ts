import { dashboardOperations, missingSmsPageSchema, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, type Serve } from '@pay/http';
import type { Peers } from '../clients/service-clients';
import { withQuery } from '../clients/with-query';

export function mountMissingSms(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  serve(dashboardOperations.listMissingSms, async ({ session: { merchantId }, query }) => {
    const path = withQuery('/internal/v1/missing-sms', { ...query, merchantId });
    try {
      return await smsIngest.request('GET', path, { schema: missingSmsPageSchema });
    } catch (error) {
      if (error instanceof ServiceCallFailed) throw new BusinessError('SERVICE_UNAVAILABLE');
      throw error;
    }
  });
}
