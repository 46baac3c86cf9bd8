import { dailyBalancesQuerySchema, dailyBalancesSchema, MOST_DAYS_OF_BALANCES } from '../../http/daily-balances';
import { dailyCloseQuerySchema, dailyCloseSchema } from '../../http/daily-close';
import { ANYBODY, section } from './common';
import { CSV_EXAMPLES } from './csv-examples';

const api = section('Daily close');

export const getDailyClose = api.get('getDailyClose', '/v1/dashboard/daily-close', {
  summary: 'Get the daily close per receiver account',
  description:
    'Opening balance, incoming and outgoing amounts and closing balance of each receiver account, computed from its SMS. A ' +
    'difference is an amount that no SMS explains. Returns JSON, or CSV with `Accept: text/csv` or `format=csv`; ' +
    '`lines=money_without_order` returns that list. Fields that a spreadsheet would evaluate as a formula start with an ' +
    'apostrophe.',
  credential: ANYBODY,
  query: dailyCloseQuerySchema,
  answers: {
    200: {
      description: 'The daily close at this time.',
      body: dailyCloseSchema,
      alsoAs: 'text/csv',
      textExample: CSV_EXAMPLES.dailyClose,
    },
  },
});

export const getDailyBalances = api.get('getDailyBalances', '/v1/dashboard/daily-balances', {
  summary: 'Get the closing balance of each day per receiver account',
  description:
    `The closing balances of up to ${MOST_DAYS_OF_BALANCES} days, read from the SMS around each midnight. A day ` +
    'without SMS has the closing balance of the day before.',
  credential: ANYBODY,
  query: dailyBalancesQuerySchema,
  answers: { 200: { description: 'The balances at this time.', body: dailyBalancesSchema } },
});
