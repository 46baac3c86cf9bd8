/**
 * The origin as a process: ORIGIN_HOST (127.0.0.1 unless given) and ORIGIN_PORT are where it listens, ORIGIN_ROUTES a
 * JSON list of [prefix, {host, port}]. ORIGIN_CONNECT_PATIENCE_MS (150 unless given) is how long it tries to connect to
 * a service before it answers 503.
 */
import { originServer, type Target } from './origin-proxy';

/** Limits the drain, because streams of live status never end. */
const LONGEST_DRAIN_MS = 3_000;

const patience = process.env['ORIGIN_CONNECT_PATIENCE_MS'];
const server = originServer(
  { host: process.env['ORIGIN_HOST'] ?? '127.0.0.1', port: Number(process.env['ORIGIN_PORT']) },
  JSON.parse(process.env['ORIGIN_ROUTES'] ?? '[]') as [string, Target][],
  patience === undefined ? {} : { connectPatienceMs: Number(patience) },
);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    setTimeout(() => process.exit(0), LONGEST_DRAIN_MS).unref();
    void server.drain().then(() => process.exit(0));
  });
}
void server.listen();
