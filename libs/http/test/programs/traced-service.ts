/**
 * A service of two routes that telemetry.int.spec.ts starts twice: the one that is called, and the one that calls it.
 */
import { createLogger, createMetrics, runService } from '@pay/runtime';
import { z } from 'zod';
import { createKernel, httpServer, route, serviceClient } from '../../src/index';

const backUrl = process.argv[2];
const log = createLogger({ service: backUrl === undefined ? 'back' : 'front', level: 'debug' });
const metrics = createMetrics('traced');
const back = serviceClient({
  issuer: 'checkout-api',
  audience: 'reconciler',
  secret: 'x',
  baseUrl: backUrl ?? 'http://127.0.0.1:1',
});

const app = createKernel({
  log,
  metrics,
  mount(kernel) {
    kernel.post(
      '/v1/things/:id',
      route({ body: z.object({ phone: z.string() }) }, async ({ body }) => {
        log.info('intent.created');
        const schema = z.object({});
        if (backUrl !== undefined) await back.request('POST', '/v1/things/inner-7f3a9c', { schema, body });
        return { status: 200, body: {} };
      }),
    );
    kernel.get(
      '/v1/fails',
      route({}, () => Promise.reject(new Error('bad number 01798765432'))),
    );
  },
});

void runService({
  name: 'traced',
  log,
  metrics,
  workers: [httpServer({ app, host: '127.0.0.1', port: 0, log })],
  close: [back],
  privateServer: { host: '127.0.0.1', port: 0 },
  checks: {},
  shutdownSeconds: 5,
});
