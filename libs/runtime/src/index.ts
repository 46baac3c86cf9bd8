export { brokerOf, commonConfig, databaseUrlOf, type ServiceSettings } from './common-config';
export { variablesWithFiles } from './settings-from-files';
export { ConfigError, describeConfig, loadConfig, secretSettingsOf, warnOfTlsOff, type ConfigRow } from './config';
export {
  checkedInProduction,
  encryptionKeys,
  flag,
  integer,
  mailServerUrl,
  networks,
  secret,
  secrets,
  secretsSharedWith,
  verificationKeys,
  type SecretList,
} from './config-fields';
export { parseVerificationKeys, type VerificationKey } from './verification-keys';
export { createSecretBox, parseEncryptionKeys, requireKeys, type EncryptionKey, type SecretBox } from './secret-box';
export { showSecretAges } from './secret-ages';
export { isProduction } from './production';
export { createLogger, type Logger, type LogLine } from './logger';
export { telemetryFile, telemetryPage } from './catalogue/describe-telemetry';
export { ageInSeconds, databaseGauges, type DatabaseGauges } from './database-gauges';
export { showCertificateEnd } from './certificate-end';
export { createMetrics, type Counter, type Gauge, type Histogram, type Metrics } from './metrics';
export { traceCall, traceRequest, type RequestTrace } from './tracing';
export { drainingServer, type DrainingServer } from './draining-server';
export { backOff, type BackOff } from './back-off';
export { every, type TaskResult } from './every';
export type { TaskName } from './catalogue/tasks';
export { failpoint } from './failpoint';
export { runService, type Check, type Closable, type ServiceOptions } from './run-service';
export { startService, type OpenedService, type ProcessSettings, type ServiceBase } from './start-service';
export { newId } from './new-id';
export { FreshCache } from './fresh-cache';
export { pollUntil } from './poll-until';
export { onceAtATime } from './once-at-a-time';
export { semaphore, type Semaphore } from './semaphore';
export { helpOf, instantOption, parseOptions, printAnswerOf, runCommand, UsageError } from './command-line';
export { aborted, type Worker } from './worker';
