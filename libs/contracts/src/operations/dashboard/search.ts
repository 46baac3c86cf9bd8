import { searchQuerySchema, searchResponseSchema } from '../../http/search';
import { ANYBODY, section } from './common';

const api = section('Payments');

export const searchPayments = api.get('searchPayments', '/v1/dashboard/search', {
  summary: 'Search payments, SMS and exceptions',
  description:
    'Searches all fields. Texts match exactly, references without regard to case, spaces and dashes. An amount finds unpaid ' +
    'payments, and paid ones among the newest 10,000.',
  credential: ANYBODY,
  query: searchQuerySchema,
  answers: { 200: { description: 'The results, each with the field that matched.', body: searchResponseSchema } },
});
