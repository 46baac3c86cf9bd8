import { dashboardOperations, missingSmsPageSchema, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, sessionOf, type operationServer, type ServiceClient } from '@pay/http';

export interface MissingSmsDeps {
  readonly smsIngest: Pick<ServiceClient, 'request'>;
}

export function mountMissingSms(serve: ReturnType<typeof operationServer>, { smsIngest }: MissingSmsDeps): void {
  serve(dashboardOperations.listMissingSms, async ({ query, res }) => {
    const { merchantId } = sessionOf(res);
    const asked = Object.entries({ ...query, merchantId }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    try {
      const schema = missingSmsPageSchema;
      return {
        status: 200,
        body: await smsIngest.request('GET', `/internal/v1/missing-sms?${search.toString()}`, { schema }),
      };
    } catch (error) {
      if (error instanceof ServiceCallFailed) throw new BusinessError('SERVICE_UNAVAILABLE');
      throw error;
    }
  });
}
