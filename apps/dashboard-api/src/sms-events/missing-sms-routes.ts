import { dashboardOperations, missingSmsPageSchema } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { answerOrUnavailable } from '../clients/answer-of';
import type { Peers } from '../clients/service-clients';
import { withQuery } from '../clients/with-query';

export function mountMissingSms(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  serve(dashboardOperations.listMissingSms, ({ session: { merchantId }, query }) => {
    const path = withQuery('/internal/v1/missing-sms', { ...query, merchantId });
    return answerOrUnavailable(smsIngest.request('GET', path, { schema: missingSmsPageSchema }));
  });
}
