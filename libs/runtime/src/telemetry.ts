/**
 * Tracing, preloaded before anything else: `node --require dist/apps/<app>/telemetry.js dist/apps/<app>/main.js`. Nothing imports it.
 * A module can only be instrumented while it is being loaded, so this comes first, and bundles leave packages external.
 *
 * OTEL_EXPORTER_OTLP_ENDPOINT  where spans go; without it there are trace ids (in logs, headers and envelopes) but no spans
 * OTEL_SERVICE_NAME            name of the service
 * TRACE_SAMPLE_RATIO           part of the traces begun here that is recorded, 0 to 1; 0.1 unless given
 */
import type { RequestOptions } from 'node:http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK, resources, tracing } from '@opentelemetry/sdk-node';
import { withoutPrivateData } from './span-privacy';
import { offerTelemetryFlush } from './telemetry-handle';

const UNTRACED_PATHS = new Set(['/livez', '/readyz', '/metrics']);
const DEFAULT_RATIO = 0.1;

const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
const ratio = Number(process.env['TRACE_SAMPLE_RATIO'] ?? DEFAULT_RATIO);

class PrivateExporter extends OTLPTraceExporter {
  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans.map(withoutPrivateData), done);
  }
}

const processor = endpoint ? new tracing.BatchSpanProcessor(new PrivateExporter()) : new tracing.NoopSpanProcessor();
const sdk = new NodeSDK({
  // Host, user and command line are facts about the machine that nobody asks a span for; the pod's attributes come by environment.
  autoDetectResources: true,
  resourceDetectors: [resources.envDetector],
  serviceName: process.env['OTEL_SERVICE_NAME'] ?? 'unnamed',
  sampler: endpoint
    ? new tracing.ParentBasedSampler({ root: new tracing.TraceIdRatioBasedSampler(ratio >= 0 && ratio <= 1 ? ratio : DEFAULT_RATIO) })
    : new tracing.AlwaysOffSampler(),
  spanProcessors: [processor],
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [
    new HttpInstrumentation({
      disableOutgoingRequestInstrumentation: true,
      ignoreIncomingRequestHook: (request) => UNTRACED_PATHS.has(pathOf(request.url)),
    }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    // Our own internal routes only: a merchant's webhook receiver gets no trace headers of ours, and no span names it.
    new UndiciInstrumentation({ requireParentforSpans: true, ignoreRequestHook: (request) => !request.path.startsWith('/internal/') }),
  ],
});
sdk.start();
offerTelemetryFlush(() => sdk.shutdown());

function pathOf(url: RequestOptions['path']): string {
  return url?.split('?', 1)[0] ?? '';
}
