import { missingSmsListQuerySchema, missingSmsPageSchema } from '../../http/missing-sms';
import { operation } from '../operation';
import { ANYBODY, page, service } from './common';

export const listMissingSms = operation({
  id: 'listMissingSms',
  service,
  method: 'get',
  path: '/v1/dashboard/missing-sms',
  tag: 'Missing SMS',
  summary: 'List money that moved without an SMS',
  description:
    'Each text shows the balance that it leaves, so what lies between two texts that do not follow from each other was told by texts that ' +
    'never came. The phone is asked to send them; what comes late explains the gap, or makes it smaller.',
  credential: ANYBODY,
  query: missingSmsListQuerySchema,
  answers: { 200: { description: page, body: missingSmsPageSchema } },
});
