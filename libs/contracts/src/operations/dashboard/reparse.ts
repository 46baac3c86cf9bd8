import { reparseRequestSchema, reparseResponseSchema } from '../../http/reparse';
import { operation } from '../operation';
import { MANAGERS, service } from './common';

export const reparseSmsEvents = operation({
  id: 'reparseSmsEvents',
  service,
  method: 'post',
  path: '/v1/dashboard/sms-events/reparse',
  tag: 'SMS events',
  summary: 'Read texts again that were not understood',
  description:
    'With the parser and the receiver accounts of today, oldest first. A dry run, which it is unless `dryRun` is false, says what would ' +
    'change. A text that is understood now becomes evidence with the times it had. What a person has decided stays, and doing it twice is ' +
    'doing it once. `next` goes into `after` of the request that goes on.',
  credential: MANAGERS,
  body: reparseRequestSchema,
  answers: { 200: { description: 'What has changed, or would.', body: reparseResponseSchema } },
});
