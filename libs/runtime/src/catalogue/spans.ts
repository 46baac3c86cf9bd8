import type { SpanEntry } from './entries';

/** Every span, by its name; a part in braces varies. Attributes are those that leave the process (span-privacy.ts). */
export const SPANS = {
  '{method} {route}': {
    kind: 'SERVER',
    meaning: 'One HTTP request, by its route template.',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
  },
  'call {service}': {
    kind: 'CLIENT',
    meaning: 'One request to the private port of another service, including its retry on a new socket.',
    attributes: [],
  },
  'process {queue}': {
    kind: 'CONSUMER',
    meaning:
      'One transaction of a consumer: with one event a child span of its trace, otherwise linked to the traces of all events.',
    attributes: [
      'messaging.system',
      'messaging.operation.type',
      'messaging.destination.name',
      'messaging.batch.message_count',
    ],
  },
  'pg.query:{statement} {database}': {
    kind: 'CLIENT',
    meaning: 'One SQL statement inside one of the spans above, without its text and values.',
    attributes: ['db.system.name', 'db.namespace', 'server.address', 'server.port'],
  },
} as const satisfies Record<string, SpanEntry>;
