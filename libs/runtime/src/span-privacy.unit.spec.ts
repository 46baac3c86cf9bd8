import { SpanStatusCode } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { withoutPrivateData } from './span-privacy';

describe('an exported span', () => {
  it('keeps method, route, status and statement kind, and loses URLs, addresses and error messages', () => {
    const exporter = new tracing.InMemorySpanExporter();
    const provider = new tracing.BasicTracerProvider({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)] });
    const span = provider.getTracer('t').startSpan('POST /v1/sms-events/hooks/:adapter/:hookId', {
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/sms-events/hooks/:adapter/:hookId',
        'url.full': 'http://x/v1/sms-events/hooks/a/7f3a9c?msisdn=01712345678',
        'url.path': '/v1/sms-events/hooks/a/7f3a9c',
        'http.target': '/v1/sms-events/hooks/a/7f3a9c',
        'client.address': '203.0.113.7',
        'db.statement': "select '01712345678'",
        'db.system': 'postgresql',
        'pay.service': 'sms-ingest',
      },
    });
    span.recordException(new TypeError('bad number 01712345678'));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'bad number 01712345678' });
    span.end();

    const [sent] = exporter.getFinishedSpans().map(withoutPrivateData);

    expect(sent?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/sms-events/hooks/:adapter/:hookId',
      'db.system': 'postgresql',
      'pay.service': 'sms-ingest',
    });
    expect(sent?.status).toEqual({ code: 2 });
    expect(sent?.events.map((event) => event.attributes)).toEqual([{ 'exception.type': 'TypeError' }]);
    expect(sent?.spanContext().traceId).toBe(span.spanContext().traceId);
    expect(sent?.duration).toEqual(exporter.getFinishedSpans()[0]?.duration);
  });
});
