import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Link,
  type SpanContext,
} from '@opentelemetry/api';
import type { EventOf } from '@pay/contracts';

/** W3C trace context, version 00. Example: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01". */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The running span as a `traceparent`, to be stored with an event; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}

export function parseTraceparent(traceparent: string | null | undefined): SpanContext | undefined {
  const parts = TRACEPARENT.exec(traceparent ?? '');
  if (parts?.[1] === undefined || parts[2] === undefined || parts[3] === undefined) return undefined;
  const span = { traceId: parts[1], spanId: parts[2], traceFlags: Number.parseInt(parts[3], 16) & 1, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/**
 * Runs a handler inside a consumer span: a child of the event's trace when the batch holds one event, otherwise a
 * separate trace with a link to each event's.
 */
export function inConsumerSpan<T>(queue: string, events: readonly EventOf[], work: () => Promise<T>): Promise<T> {
  const causes = events.map((event) => parseTraceparent(event.traceparent)).filter((span) => span !== undefined);
  const [only] = causes;
  const parent = events.length === 1 && only !== undefined ? trace.setSpanContext(ROOT_CONTEXT, only) : ROOT_CONTEXT;
  const links: Link[] = events.length === 1 ? [] : causes.map((span) => ({ context: span }));
  const attributes = {
    'messaging.system': 'rabbitmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queue,
    'messaging.batch.message_count': events.length,
  };
  const options = { kind: SpanKind.CONSUMER, links, attributes };
  return trace.getTracer('@pay/messaging').startActiveSpan(`process ${queue}`, options, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
