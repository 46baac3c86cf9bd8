import { dailyCloseQuerySchema, dailyCloseSchema } from '../../http/daily-close';
import { operation } from '../operation';
import { ANYBODY, service } from './common';

export const getDailyClose = operation({
  id: 'getDailyClose',
  service,
  method: 'get',
  path: '/v1/dashboard/daily-close',
  tag: 'Daily close',
  summary: 'Close a day, per receiver account',
  description:
    'What each number had in the morning, what came in and went out by its SMS, and what it had in the evening. A difference is what the ' +
    'texts do not explain. JSON, or CSV with `Accept: text/csv` or `format=csv`, and `lines=money_without_order` for that list: text that a ' +
    'spreadsheet would take for a formula begins with an apostrophe there.',
  credential: ANYBODY,
  query: dailyCloseQuerySchema,
  answers: { 200: { description: 'The day, as far as it is known now.', body: dailyCloseSchema, alsoAs: 'text/csv' } },
});
