import { missingSmsListQuerySchema, missingSmsPageSchema } from '../../http/missing-sms';
import { operation } from '../operation';
import { ANYBODY, page, service } from './common';

export const listMissingSms = operation({
  id: 'listMissingSms',
  service,
  method: 'get',
  path: '/v1/dashboard/missing-sms',
  tag: 'Missing SMS',
  summary: 'List missing SMS',
  description:
    'Each SMS contains the balance after its payment. If the balances of two consecutive SMS do not match, the SMS between them ' +
    'are missing. The device is asked to send them; SMS that arrive late close the gap or reduce it.',
  credential: ANYBODY,
  query: missingSmsListQuerySchema,
  answers: { 200: { description: page, body: missingSmsPageSchema } },
});
