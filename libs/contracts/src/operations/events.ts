import { eventFeedQuerySchema, eventPageSchema } from '../http/event-feed';
import { operations } from './operation';

const api = operations({ service: 'webhook-dispatcher', tag: 'Events' });

export const listEvents = api.get('listEvents', '/v1/events', {
  summary: 'Read the event feed',
  description:
    'All events of this environment without gaps, for example to catch up after an outage, in the order in which they were recorded. An event can come before an earlier one of the same intent: compare `payload.timestamp`; `PAID` and `REJECTED` are final. Independent of webhook endpoints. Also contains `payment.failed`, which is not sent as a webhook. Events are kept for 90 days.',
  credential: { kind: 'apiKey', scope: 'webhooks:read' },
  query: eventFeedQuerySchema,
  answers: { 200: { description: 'The events after the cursor.', body: eventPageSchema } },
  errors: ['CURSOR_AHEAD', 'CURSOR_EXPIRED'],
});
