import { context, trace } from '@opentelemetry/api';
import { node, tracing } from '@opentelemetry/sdk-node';
import { eventually, failOnLeaks } from '@pay/testing';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';

failOnLeaks();

describe('a trace', () => {
  const exporter = new tracing.InMemorySpanExporter();
  const provider = new node.NodeTracerProvider({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)] });
  let place: Place;
  let service: RunningService;

  beforeAll(async () => {
    provider.register();
    place = await aPlace();
    service = await aService(place);
    service.start(service.messaging.relay());
  });
  afterAll(async () => {
    await place.drop();
    await provider.shutdown();
    trace.disable();
    context.disable();
  });

  const consumed = () => exporter.getFinishedSpans().filter((span) => span.name === `process ${QUEUE}`);
  const published = (count: number) =>
    trace.getTracer('spec').startActiveSpan('request', async (span) => {
      await publishAll(
        service,
        Array.from({ length: count }, () => anEvent()),
      );
      span.end();
      // Each event is a separate message.
      await eventually(async () => (await unpublished(service.db)) === 0, 'it is published');
      return span.spanContext();
    });

  it('continues through the broker for a single event, and a batch is linked to the traces of all its events', async () => {
    const [one, two, three] = [await published(1), await published(1), await published(1)];
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    await eventually(async () => (await effects(service.db)).length === 3, 'all are handled');

    // The effect is visible before the surrounding span ends.
    const handled = () => consumed().reduce((sum, { links }) => sum + Math.max(1, links.length), 0);
    await eventually(() => handled() >= 3, 'spans are finished');
    const [first] = consumed();
    expect(first!.spanContext().traceId).toBe(one.traceId);
    expect(first!.parentSpanContext?.spanId).toBe(one.spanId);
    const rest = consumed().slice(1);
    const causes = rest.flatMap((span) => [
      ...span.links.map((link) => link.context.traceId),
      ...(span.links.length === 0 ? [span.spanContext().traceId] : []),
    ]);
    expect(causes).toEqual([two.traceId, three.traceId]);
  });
});
