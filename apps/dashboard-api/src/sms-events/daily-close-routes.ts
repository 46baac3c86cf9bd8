import { dailyCloseSchema, dashboardOperations, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, sessionOf, type operationServer, type ServiceClient } from '@pay/http';
import type { Request } from 'express';
import { dailyCloseCsv, moneyWithoutOrderCsv } from '../domain/daily-close-csv';

export interface DailyCloseDeps {
  /** sms-ingest, which has all texts with their balances and knows what became of each. */
  readonly smsIngest: Pick<ServiceClient, 'request'>;
}

export function mountDailyClose(serve: ReturnType<typeof operationServer>, { smsIngest }: DailyCloseDeps): void {
  serve(dashboardOperations.getDailyClose, async ({ query: { format, lines = 'accounts', ...day }, req, res }) => {
    const { merchantId } = sessionOf(res);
    const asked = Object.entries({ ...day, merchantId }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    try {
      const path = `/internal/v1/daily-close?${search.toString()}`;
      const close = await smsIngest.request('GET', path, { schema: dailyCloseSchema });
      const vary = { Vary: 'Accept' };
      if ((format ?? formatOf(req)) === 'json') return { status: 200, body: close, headers: vary };
      const [name, csv] =
        lines === 'accounts'
          ? ['daily-close', dailyCloseCsv(close)]
          : ['money-without-order', moneyWithoutOrderCsv(close)];
      const headers = {
        ...{ ...vary, 'Content-Type': 'text/csv; charset=utf-8' },
        'Content-Disposition': `attachment; filename="${name}-${day.environment.toLowerCase()}-${day.date}.csv"`,
      };
      return { status: 200, body: csv, headers };
    } catch (error) {
      if (error instanceof ServiceCallFailed) throw new BusinessError('SERVICE_UNAVAILABLE');
      throw error;
    }
  });
}

/** JSON, unless CSV is what the caller likes better. */
function formatOf(req: Request): 'json' | 'csv' {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv' ? 'csv' : 'json';
}
