import { eventFeedQuerySchema, eventPageSchema } from '../http/event-feed';
import { operations } from './operation';

const api = operations({ service: 'webhook-dispatcher', tag: 'Events' });

export const listEvents = api.get('listEvents', '/v1/events', {
  summary: 'Read the event feed',
  description:
    'All events of this environment, oldest first and without gaps, for example to catch up after an outage. Independent of webhook endpoints. Also contains `payment.failed`, which is not sent as a webhook. Events are kept for 90 days.',
  credential: { kind: 'apiKey', scope: 'webhooks:read' },
  query: eventFeedQuerySchema,
  answers: { 200: { description: 'The events after the cursor.', body: eventPageSchema } },
  errors: ['CURSOR_AHEAD', 'CURSOR_EXPIRED'],
});
