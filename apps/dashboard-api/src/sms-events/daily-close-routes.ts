import { BusinessError, dailyBalancesSchema, dailyCloseSchema, dashboardOperations } from '@pay/contracts';
import { ServiceCallFailed, sessionOf, type Serve } from '@pay/http';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Peers } from '../clients/service-clients';
import { withQuery } from '../clients/with-query';
import { dailyCloseCsv, moneyWithoutOrderCsv } from '../domain/daily-close-csv';

export function mountDailyClose(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  const ask = async <Answer>(path: string, query: object, schema: z.ZodType<Answer>) => {
    try {
      return await smsIngest.request('GET', withQuery(`/internal/v1/${path}`, { ...query }), { schema });
    } catch (error) {
      if (error instanceof ServiceCallFailed) throw new BusinessError('SERVICE_UNAVAILABLE');
      throw error;
    }
  };
  serve(dashboardOperations.getDailyClose, async ({ query: { format, lines = 'accounts', ...day }, req, res }) => {
    const { merchantId } = sessionOf(res);
    const close = await ask('daily-close', { ...day, merchantId }, dailyCloseSchema);
    const vary = { Vary: 'Accept' };
    if ((format ?? formatOf(req)) === 'json') return { status: 200, body: close, headers: vary };
    const [name, csv] =
      lines === 'accounts'
        ? ['daily-close', dailyCloseCsv(close)]
        : ['money-without-order', moneyWithoutOrderCsv(close)];
    const headers = {
      ...vary,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}-${day.environment.toLowerCase()}-${day.date}.csv"`,
    };
    return { status: 200, body: csv, headers };
  });
  serve(dashboardOperations.getDailyBalances, async ({ query, res }) => {
    const { merchantId } = sessionOf(res);
    return { status: 200, body: await ask('daily-balances', { ...query, merchantId }, dailyBalancesSchema) };
  });
}

/** Default: JSON. */
function formatOf(req: Request): 'json' | 'csv' {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv' ? 'csv' : 'json';
}
