/** The origin as a process: ORIGIN_HOST (127.0.0.1 unless given) and ORIGIN_PORT are where it listens, ORIGIN_ROUTES a JSON list of [prefix, {host, port}]. */
import { originProxy, type Target } from './origin-proxy';

const routes = JSON.parse(process.env['ORIGIN_ROUTES'] ?? '[]') as [string, Target][];
const server = originProxy(routes);
server.listen(Number(process.env['ORIGIN_PORT']), process.env['ORIGIN_HOST'] ?? '127.0.0.1');

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 3_000).unref();
  });
}
