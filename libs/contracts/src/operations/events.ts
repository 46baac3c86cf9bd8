import { eventFeedQuerySchema, eventPageSchema } from '../http/event-feed';
import { operation } from './operation';

export const listEvents = operation({
  id: 'listEvents',
  service: 'webhook-dispatcher',
  method: 'get',
  path: '/v1/events',
  tag: 'Events',
  summary: 'Read the event feed',
  description:
    'All events of this environment, oldest first and without gaps, for example to catch up after an outage. Independent of webhook endpoints. Also contains `payment.failed`, which is not sent as a webhook. Events are kept for 90 days.',
  credential: { kind: 'apiKey', scope: 'webhooks:read' },
  query: eventFeedQuerySchema,
  answers: { 200: { description: 'The events after the cursor.', body: eventPageSchema } },
  errors: ['CURSOR_AHEAD', 'CURSOR_EXPIRED'],
});
