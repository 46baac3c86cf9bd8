import { reparseRequestSchema, reparseResponseSchema } from '../../http/reparse';
import { MANAGERS, section } from './common';

const api = section('SMS events');

export const reparseSmsEvents = api.post('reparseSmsEvents', '/v1/dashboard/sms-events/reparse', {
  summary: 'Parse UNPARSED SMS again',
  description:
    'Uses the current parser and receiver accounts, oldest SMS first. The default is a dry run that returns the changes; set ' +
    '`dryRun` to false to apply them. An SMS that can be parsed becomes evidence with its original times. Decisions of reviewers ' +
    'do not change. Repeating the request has no further effect. Send `next` as `after` to continue.',
  credential: MANAGERS,
  body: reparseRequestSchema,
  answers: {
    200: { description: 'The changes, or the changes that a dry run would make.', body: reparseResponseSchema },
  },
});
