import { searchQuerySchema, searchResponseSchema } from '../../http/search';
import { ANYBODY, section } from './common';

const api = section('Payments');

export const searchPayments = api.get('searchPayments', '/v1/dashboard/search', {
  summary: 'Find payments by anything that is known of them',
  description:
    'Searches all fields at once. Texts match exactly, references without regard to case, spaces and dashes. An amount finds unpaid ' +
    'payments, and paid ones among the newest 10,000.',
  credential: ANYBODY,
  query: searchQuerySchema,
  answers: { 200: { description: 'What was found, and by which field.', body: searchResponseSchema } },
});
