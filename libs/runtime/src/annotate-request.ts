import { trace } from '@opentelemetry/api';

/** Gives the active HTTP server span its name and `http.route`, so that no span ever needs the concrete path. */
export function annotateRequest(method: string, route: string): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording()) {
    span.updateName(`${method} ${route}`);
    span.setAttribute('http.route', route);
  }
}
