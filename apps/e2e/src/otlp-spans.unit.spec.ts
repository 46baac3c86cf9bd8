import { SpanKind } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { node, tracing } from '@opentelemetry/sdk-node';
import { captureServer } from '@pay/testing';
import { spansOf } from './otlp-spans';

describe('spansOf', () => {
  it('reads name, kind and attribute names of every span that the exporter of the services sends', async () => {
    const collector = await captureServer();
    const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
    const provider = new node.NodeTracerProvider({ spanProcessors: [new tracing.BatchSpanProcessor(exporter)] });
    const attributes = { 'http.route': '/v1/things/:id', 'http.response.status_code': 200, 'pay.ratio': 0.5 };

    provider.getTracer('one').startSpan('GET /v1/things/:id', { kind: SpanKind.SERVER, attributes }).end();
    provider.getTracer('two').startSpan('process টাকা', { kind: SpanKind.CONSUMER }).end();
    await provider.shutdown();
    await collector.close();

    expect(collector.requests.flatMap(({ rawBody }) => spansOf(rawBody))).toEqual([
      { name: 'GET /v1/things/:id', kind: 'SERVER', attributes: Object.keys(attributes) },
      { name: 'process টাকা', kind: 'CONSUMER', attributes: [] },
    ]);
  });

  it('refuses a request that ends within a field', () => {
    expect(() => spansOf(Buffer.from([0x0a, 0x05, 0x00]))).toThrow('A field of 5 bytes ends behind its message.');
  });
});
