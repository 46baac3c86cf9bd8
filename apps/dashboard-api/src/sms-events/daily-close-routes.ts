import { dailyBalancesSchema, dailyCloseSchema, dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import type { Request } from 'express';
import type { z } from 'zod';
import { answerOrUnavailable } from '../clients/answer-of';
import type { Peers } from '../clients/service-clients';
import { withQuery } from '../clients/with-query';
import { dailyCloseCsv, moneyWithoutOrderCsv } from '../domain/daily-close-csv';

export function mountDailyClose(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  const ask = <Answer>(path: string, query: object, schema: z.ZodType<Answer>) =>
    answerOrUnavailable(smsIngest.request('GET', withQuery(`/internal/v1/${path}`, { ...query }), { schema }));
  serve(dashboardOperations.getDailyClose, async ({ session: { merchantId }, query, req, res }) => {
    const { format = formatOf(req), lines = 'accounts', ...day } = query;
    const close = await ask('daily-close', { ...day, merchantId }, dailyCloseSchema);
    res.setHeader('Vary', 'Accept');
    if (format === 'json') return close;
    const [name, csv] =
      lines === 'accounts'
        ? ['daily-close', dailyCloseCsv(close)]
        : ['money-without-order', moneyWithoutOrderCsv(close)];
    const fileName = `${name}-${day.environment.toLowerCase()}-${day.date}.csv`;
    res.setHeader('Content-Type', 'text/csv; charset=utf-8');
    res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    return csv;
  });
  serve(dashboardOperations.getDailyBalances, ({ session: { merchantId }, query }) =>
    ask('daily-balances', { ...query, merchantId }, dailyBalancesSchema),
  );
}

/** Default: JSON. */
function formatOf(req: Request): 'json' | 'csv' {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv' ? 'csv' : 'json';
}
