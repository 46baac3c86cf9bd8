import { missingSmsListQuerySchema, missingSmsPageSchema } from '../../http/missing-sms';
import { ANYBODY, page, section } from './common';

const api = section('Missing SMS');

export const listMissingSms = api.get('listMissingSms', '/v1/dashboard/missing-sms', {
  summary: 'List missing SMS',
  description:
    'Each SMS contains the balance after its payment. If the balances of two consecutive SMS do not match, the SMS between them ' +
    'are missing. The device is asked to send them; SMS that arrive late close the gap or reduce it.',
  credential: ANYBODY,
  query: missingSmsListQuerySchema,
  answers: { 200: { description: page, body: missingSmsPageSchema } },
});
