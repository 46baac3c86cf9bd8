import { dailyCloseQuerySchema, dailyCloseSchema } from '../../http/daily-close';
import { operation } from '../operation';
import { ANYBODY, service } from './common';

export const getDailyClose = operation({
  id: 'getDailyClose',
  service,
  method: 'get',
  path: '/v1/dashboard/daily-close',
  tag: 'Daily close',
  summary: 'Get the daily close per receiver account',
  description:
    'Opening balance, incoming and outgoing amounts and closing balance of each receiver account, computed from its SMS. A ' +
    'difference is an amount that no SMS explains. Returns JSON, or CSV with `Accept: text/csv` or `format=csv`; ' +
    '`lines=money_without_order` returns that list. Fields that a spreadsheet would evaluate as a formula start with an ' +
    'apostrophe.',
  credential: ANYBODY,
  query: dailyCloseQuerySchema,
  answers: { 200: { description: 'The daily close at this time.', body: dailyCloseSchema, alsoAs: 'text/csv' } },
});
