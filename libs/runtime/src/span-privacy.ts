import type { tracing } from '@opentelemetry/sdk-node';

/**
 * Attributes that spans may export. It is an allow-list, because instrumentations record full URLs (hook ids, search
 * terms), client addresses and error messages (row contents), and new versions may record more.
 */
const ALLOWED_ATTRIBUTES: ReadonlySet<string> = new Set([
  'http.method',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'http.status_code',
  'db.name',
  'db.namespace',
  'db.operation',
  'db.operation.name',
  'db.system',
  'db.system.name',
  'error.type',
  'messaging.batch.message_count',
  'messaging.destination',
  'messaging.destination.name',
  'messaging.message.id',
  'messaging.operation',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.rabbitmq.destination.routing_key',
  'messaging.system',
  'net.peer.name',
  'net.peer.port',
  'server.address',
  'server.port',
]);
const OWN_PREFIX = 'pay.';

type ReadableSpan = tracing.ReadableSpan;

/** Of an exception only the type is kept. */
export function withoutPrivateData(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { enumerable: true, value: allowed(span.attributes) },
    status: { enumerable: true, value: { code: span.status.code } },
    events: {
      enumerable: true,
      value: span.events.map((event) => ({
        ...event,
        attributes: event.attributes?.['exception.type']
          ? { 'exception.type': event.attributes['exception.type'] }
          : {},
      })),
    },
  }) as ReadableSpan;
}

function allowed(attributes: ReadableSpan['attributes']): ReadableSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => ALLOWED_ATTRIBUTES.has(name) || name.startsWith(OWN_PREFIX)),
  );
}
