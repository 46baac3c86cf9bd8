import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { drainingServer } from './draining-server';
import { showTasks } from './every';
import type { LogEventAt } from './catalogue/log-events';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { privateRoutes, type Release } from './private-routes';
import { readiness, type Check } from './readiness';
import { flushTelemetry } from './telemetry-handle';
import { aborted, supervise, type Worker } from './worker';

export type { Check };

export interface Closable {
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly workers: readonly Worker[];
  /** Closed in reverse order after the workers have stopped. */
  readonly close: readonly Closable[];
  readonly privateServer: { readonly host: string; readonly port: number; readonly handler?: RequestListener };
  readonly checks: Readonly<Record<string, Check>>;
  readonly shutdownSeconds: number;
  /** How long the private server keeps idle connections open before workers stop. Default: 500 ms. */
  readonly idleGraceMs?: number;
  /** If absent, /readyz reports an unknown build. */
  readonly release?: Release;
}

const UNKNOWN_RELEASE: Release = { version: 'unknown', commit: 'unknown' };

/**
 * Runs a service until SIGTERM or SIGINT and ends the process.
 *
 * | state    | what happens                                                                                          |
 * | -------- | ----------------------------------------------------------------------------------------------------- |
 * | starting | the private server listens, then every worker runs                                                    |
 * | running  | if a worker dies, the service becomes unready and stops with exit code 1; its starter restarts it     |
 * | stopping | readiness off; `beforeStop` of workers; connections of the private server released; workers aborted   |
 * |          | in parallel; private server drained; resources closed in reverse order; spans flushed; exit           |
 *
 * Further signals have no effect, and after `shutdownSeconds` the process exits with code 1. An unhandled rejection
 * or exception also ends it with code 1, because its state is then unknown.
 */
export async function runService(options: ServiceOptions): Promise<void> {
  const { name, log, workers } = options;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const state = readiness({ log, workers, checks: options.checks });
  showTasks(options.metrics);
  options.metrics.gauge('service_ready', async (gauge) => gauge.set((await state.failing()).length === 0 ? 1 : 0));
  const asked = new AbortController();
  let exitCode = 0;

  const { handler, host, port } = options.privateServer;
  const server = drainingServer({
    host,
    port,
    ...(options.idleGraceMs === undefined ? {} : { idleGraceMs: options.idleGraceMs }),
    listener: privateRoutes({
      log,
      metrics: options.metrics,
      readiness: state,
      internal: handler,
      release: options.release ?? UNKNOWN_RELEASE,
    }),
  });

  const askToStop = (reason: string) => {
    if (asked.signal.aborted) return;
    asked.abort();
    log.info({ reason }, 'service.stopping');
    state.turnOff();
    // If a step hangs, the process ends as soon as nothing keeps it alive, and the exit code must then be an error.
    process.exitCode = 1;
    setTimeout(() => crash(log, 'service.stop_timed_out'), options.shutdownSeconds * 1_000).unref();
    // The private server drains concurrently, so that its waiting time is not added.
    const released = [...workers.map(async (worker) => worker.beforeStop?.()), server.release()];
    void Promise.allSettled(released).then(() => stop.abort());
  };
  const onDeath = (worker: string) => {
    exitCode = 1;
    askToStop(`worker ${worker}`);
  };
  process.on('SIGTERM', askToStop);
  process.on('SIGINT', askToStop);
  process.on('unhandledRejection', (error) => crash(log, 'process.unhandled_rejection', error));
  process.on('uncaughtException', (error) => crash(log, 'process.uncaught_exception', error));

  try {
    await server.listen();
  } catch (error) {
    log.fatal({ err: error, port }, 'private_server.cannot_listen');
    exitCode = 1;
    askToStop('private server');
  }

  const startedAt = performance.now();
  if (!asked.signal.aborted) {
    const ended = supervise({ log, onDeath }, workers, stop.signal);
    void listening(workers, stop.signal).then((publicPort) => {
      if (!asked.signal.aborted) {
        log.info({ port: publicPort, privatePort: server.address()?.port, workers: workers.length }, 'service.started');
      }
    });
    await aborted(stop.signal);
    await ended;
  }
  const drained = await settles(log, 'private_server', () => server.drain());
  let closed = drained;
  for (const resource of [...options.close].reverse()) {
    closed = (await settles(log, resource.constructor.name, () => resource.close())) && closed;
  }
  if (!closed) exitCode = 1;
  log.info({ name, exitCode, upSeconds: Math.round((performance.now() - startedAt) / 1_000) }, 'service.stopped');
  await flushTelemetry();
  process.exit(exitCode);
}

async function listening(workers: readonly Worker[], signal: AbortSignal): Promise<number | undefined> {
  const servers = workers.filter((worker) => worker.address !== undefined);
  while (!signal.aborted && servers.some((worker) => worker.address?.() === undefined)) await delay(5);
  return servers[0]?.address?.()?.port;
}

async function settles(log: Logger, resource: string, close: () => Promise<void>): Promise<boolean> {
  try {
    await close();
    return true;
  } catch (error) {
    log.error({ resource, err: error }, 'service.close_failed');
    return false;
  }
}

/** Synchronous, because the state of the process is unknown. */
function crash(log: Logger, event: LogEventAt<'fatal'>, error?: unknown): never {
  log.fatal({ err: error }, event);
  process.exit(1);
}
