import { dashboardOperations, missingSmsPageSchema } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { answerOrUnavailable } from '../clients/answer-of';
import { passOn } from '../clients/pass-on';
import type { Peers } from '../clients/service-clients';

export function mountMissingSms(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  const page = passOn(smsIngest, 'missing-sms', missingSmsPageSchema, answerOrUnavailable);
  serve(dashboardOperations.listMissingSms, page);
}
