import type { RequestListener } from 'node:http';
import type { z } from 'zod';
import type { commonConfig } from './common-config';
import { ConfigError, loadConfig, warnOfTlsOff } from './config';
import { createLogger, type Logger } from './logger';
import { createMetrics, type Metrics } from './metrics';
import { runService, type ServiceOptions } from './run-service';
import { showSecretAges } from './secret-ages';

type CommonSettings = z.infer<z.ZodObject<typeof commonConfig>>;

export interface ServiceBase<Config> {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface OpenedService extends Pick<ServiceOptions, 'workers' | 'close' | 'checks'> {
  /** Handles requests of other services on the private port. */
  readonly internalApp: RequestListener;
}

/** The settings of every service, with or without a public server. */
export type ProcessSettings = Omit<CommonSettings, 'PORT' | 'TRUSTED_PROXY_CIDRS'>;

/** If the start fails, prints the reason and exits with code 1. */
export function startService<Config extends ProcessSettings>(
  name: string,
  settings: z.ZodObject & z.ZodType<Config>,
  env: NodeJS.ProcessEnv,
  open: (base: ServiceBase<Config>) => Promise<OpenedService>,
): void {
  async function start(): Promise<void> {
    const config: Config = loadConfig(settings, env);
    assertStopInTime(config);
    const log = createLogger({ service: name, level: config.LOG_LEVEL });
    warnOfTlsOff(config, log);
    const metrics = createMetrics(name);
    showSecretAges(metrics, settings, config);
    const { internalApp, ...parts } = await open({ config, log, metrics });
    await runService({
      name,
      log,
      metrics,
      ...parts,
      privateServer: { host: config.HOST, port: config.PRIVATE_PORT, handler: internalApp },
      shutdownSeconds: config.SHUTDOWN_SECONDS,
      idleGraceMs: config.IDLE_CONNECTION_GRACE_MS,
      release: { version: config.RELEASE_VERSION, commit: config.RELEASE_COMMIT },
    });
  }

  start().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

/** Time for all other steps of a stop. */
const REST_OF_STOP_SECONDS = 5;

/** If the process still waits for idle connections at its deadline, its work in progress is interrupted. */
export function assertStopInTime(
  settings: Pick<ProcessSettings, 'IDLE_CONNECTION_GRACE_MS' | 'SHUTDOWN_SECONDS'>,
): void {
  const { IDLE_CONNECTION_GRACE_MS: graceMs, SHUTDOWN_SECONDS: seconds } = settings;
  if (graceMs > 500 && graceMs / 1_000 + REST_OF_STOP_SECONDS > seconds)
    throw new ConfigError([
      `IDLE_CONNECTION_GRACE_MS: must be at least ${REST_OF_STOP_SECONDS} seconds shorter than SHUTDOWN_SECONDS (${seconds})`,
    ]);
}
