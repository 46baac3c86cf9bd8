export { commonConfig, ConfigError, describeConfig, flag, integer, loadConfig, type ConfigRow } from './config';
export { createLogger, type Logger } from './logger';
export { createMetrics, type Counter, type Gauge, type Histogram, type Metrics } from './metrics';
export { traceCall, traceRequest, type RequestTrace } from './tracing';
export { drainingServer, type DrainingServer } from './draining-server';
export { every } from './every';
export { failpoint } from './failpoint';
export { runService, type Check, type Closable, type ServiceOptions } from './run-service';
export { aborted, type Worker } from './worker';
