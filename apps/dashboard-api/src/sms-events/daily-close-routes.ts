import { dailyBalancesSchema, dailyCloseSchema, dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import type { Request } from 'express';
import { answerOrUnavailable } from '../clients/answer-of';
import { passOn } from '../clients/pass-on';
import type { Peers } from '../clients/service-clients';
import { dailyCloseCsv, moneyWithoutOrderCsv } from '../domain/daily-close-csv';

export function mountDailyClose(serve: Serve, { smsIngest }: Pick<Peers, 'smsIngest'>): void {
  const closeOf = passOn(smsIngest, 'daily-close', dailyCloseSchema, answerOrUnavailable);
  const balances = passOn(smsIngest, 'daily-balances', dailyBalancesSchema, answerOrUnavailable);
  serve(dashboardOperations.getDailyBalances, balances);
  serve(dashboardOperations.getDailyClose, async ({ session, query, req, res }) => {
    const { format = formatOf(req), lines = 'accounts', ...day } = query;
    const close = await closeOf({ session, query: day });
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
}

/** Default: JSON. */
function formatOf(req: Request): 'json' | 'csv' {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv' ? 'csv' : 'json';
}
