import { z } from 'zod';
import { changedEventSchema, watchChangesQuerySchema } from '../../http/changes';
import { ANYBODY, section } from './common';

const api = section('Statistics');

export const watchChanges = api.get('watchChanges', '/v1/dashboard/changes', {
  summary: 'Stream which data have changed',
  description:
    'Server-sent events. `changed` names topics (`payments`, `exceptions`, `devices`) and contains no data: request the lists that are ' +
    'shown again. Changes within two seconds are sent as one event. Events are not stored: after a reconnect, request all lists again. ' +
    '`end` precedes the end of a stream: when the session has ended, when the role has changed, or after ten minutes.',
  credential: ANYBODY,
  query: watchChangesQuerySchema,
  answers: {
    200: {
      description: 'Events until the session or the stream ends.',
      contentType: 'text/event-stream',
      events: { changed: changedEventSchema, end: z.object({}) },
    },
  },
});
