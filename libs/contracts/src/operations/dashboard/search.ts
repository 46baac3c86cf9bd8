import { searchQuerySchema, searchResponseSchema } from '../../http/search';
import { operation } from '../operation';
import { ANYBODY, service } from './common';

export const searchPayments = operation({
  id: 'searchPayments',
  service,
  method: 'get',
  path: '/v1/dashboard/search',
  tag: 'Payments',
  summary: 'Find payments by anything that is known of them',
  description:
    'Searches all fields at once. Texts match exactly, references without regard to case, spaces and dashes. An amount finds unpaid ' +
    'payments, and paid ones among the newest 10,000.',
  credential: ANYBODY,
  query: searchQuerySchema,
  answers: { 200: { description: 'What was found, and by which field.', body: searchResponseSchema } },
});
