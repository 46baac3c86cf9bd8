/**
 * Tracing, preloaded before anything else: `node --require dist/apps/<app>/telemetry.js dist/apps/<app>/main.js`.
 * Nothing imports it. A module can only be instrumented while it is being loaded, so this comes first, and bundles
 * leave packages external. HTTP is not instrumented here but traced by the HTTP kernel and the service client, see
 * tracing.ts.
 *
 * OTEL_EXPORTER_OTLP_ENDPOINT where spans go; without it there are trace ids (in logs, headers and envelopes) but no
 * spans
 * OTEL_SERVICE_NAME            name of the service
 * TRACE_SAMPLE_RATIO           part of all traces that is recorded, 0 to 1; 0.1 unless given; the same in every service
 */
import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import type { core, node, resources } from '@opentelemetry/sdk-node';
import { withoutPrivateData } from './span-privacy';
import { offerTelemetryFlush } from './telemetry-handle';

/** Parts of the SDK in its own versions. The complete SDK loads every exporter, including gRPC: 40 MB per process. */
const partOfSdk = createRequire(require.resolve('@opentelemetry/sdk-node'));
const tracing = partOfSdk('@opentelemetry/sdk-trace-node') as typeof node;
const { W3CTraceContextPropagator } = partOfSdk('@opentelemetry/core') as typeof core;
const { defaultResource, envDetector, detectResources, resourceFromAttributes } = partOfSdk(
  '@opentelemetry/resources',
) as typeof resources;

const DEFAULT_RATIO = 0.1;

class PrivateExporter extends OTLPTraceExporter {
  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans.map(withoutPrivateData), done);
  }
}

/**
 * Every service decides by the trace id alone, so all decide the same, and the flag of a caller cannot enable
 * recording.
 */
function sampler(): node.Sampler {
  const given = Number(process.env['TRACE_SAMPLE_RATIO'] ?? DEFAULT_RATIO);
  const byTraceId = new tracing.TraceIdRatioBasedSampler(given >= 0 && given <= 1 ? given : DEFAULT_RATIO);
  return new tracing.ParentBasedSampler({
    root: byTraceId,
    remoteParentSampled: byTraceId,
    remoteParentNotSampled: byTraceId,
  });
}

const exporting = Boolean(process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
const provider = new tracing.NodeTracerProvider({
  // Host, user and command line describe the machine; attributes of a pod come from OTEL_RESOURCE_ATTRIBUTES.
  resource: defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'unnamed' })),
  sampler: exporting ? sampler() : new tracing.AlwaysOffSampler(),
  // Without a span processor the SDK generates no trace ids.
  spanProcessors: [exporting ? new tracing.BatchSpanProcessor(new PrivateExporter()) : new tracing.NoopSpanProcessor()],
});
// Baggage would pass data of unknown callers through the services.
provider.register({ propagator: new W3CTraceContextPropagator() });
// Spans of statements cost time, so they are created only if an exporter is configured.
if (exporting) new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
offerTelemetryFlush(() => provider.shutdown());
