import { eventFeedQuerySchema, eventPageSchema } from '../http/event-feed';
import { operation } from './operation';

export const listEvents = operation({
  id: 'listEvents',
  service: 'webhook-dispatcher',
  method: 'get',
  path: '/v1/events',
  tag: 'Events',
  summary: 'Read every event in order',
  description:
    'For a merchant who was down: all events of this environment, oldest first, without gaps, with or without an endpoint, and `payment.failed`, of which no webhook is sent. Kept 90 days.',
  credential: { kind: 'apiKey', scope: 'webhooks:read' },
  query: eventFeedQuerySchema,
  answers: { 200: { description: 'What follows the cursor.', body: eventPageSchema } },
  errors: ['CURSOR_AHEAD', 'CURSOR_EXPIRED'],
});
