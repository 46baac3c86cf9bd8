/** A service whose parts behave as its first argument says. run-service.int.spec.ts starts it as a separate process. */
import { aborted, createLogger, createMetrics, drainingServer, runService, type Worker } from '../../src/index';

const scenario = process.argv[2];
const log = createLogger({ service: 'program', level: 'info' });
/** Lines by which the spec recognises the progress of the program. */
const tell = (text: string, fields: object = {}): void => Reflect.apply(log.info, log, [fields, text]);

const slowServer = drainingServer({
  host: '127.0.0.1',
  port: 0,
  listener: (_request, response) => {
    tell('request.begun');
    setTimeout(() => response.end('done'), 400);
  },
});
const http: Worker = {
  name: 'http',
  // The signal arrives before the server listens, on a machine of any speed.
  address: () => (scenario === 'is stopped while it starts' ? undefined : slowServer.address()),
  async beforeStop() {
    await slowServer.release();
    tell('http.released');
  },
  async run(signal) {
    await slowServer.listen();
    await aborted(signal);
    await slowServer.drain();
    tell('http.drained');
  },
};

/** Runs until stopped, then takes a moment to finish. */
const steady: Worker = {
  name: 'steady',
  async run(signal) {
    tell('steady.running');
    await aborted(signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    tell('steady.finished');
  },
};

const second: Record<string, Worker['run']> = {
  dies: async () => {
    throw new Error('queue is gone');
  },
  returns: async () => undefined,
  hangs: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
  'fails to stop': (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('no ack')))),
  'leaves a rejection': (signal) => {
    void Promise.reject(new Error('forgotten'));
    return aborted(signal);
  },
  'throws in a callback': (signal) => {
    setImmediate(() => {
      throw new Error('forgotten');
    });
    return aborted(signal);
  },
  'crashes after many lines': async () => {
    for (let line = 0; line < 20_000; line++) tell('many', { line });
    void Promise.reject(new Error('forgotten'));
    await new Promise(() => undefined);
  },
  'stops after many lines': async () => {
    for (let line = 0; line < 20_000; line++) tell('many', { line });
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 20));
  },
};
const run = second[scenario ?? ''];

if (scenario === 'is stopped while it starts')
  process.on('newListener', (event) => {
    if (event === 'SIGTERM') setImmediate(() => process.kill(process.pid, 'SIGTERM'));
  });

void runService({
  name: 'program',
  log,
  metrics: createMetrics('program'),
  workers: [http, steady, ...(run ? [{ name: 'second', run }] : [])],
  close: ['database', 'broker'].map((name) => ({
    async close() {
      if (scenario === 'cannot close' && name === 'broker') throw new Error('socket');
      if (scenario === 'closes for ever' && name === 'broker') await new Promise(() => undefined);
      tell('resource.closed', { name });
    },
  })),
  privateServer: {
    host: '127.0.0.1',
    port: Number(process.argv[3] ?? 0),
    handler: (request, response) => response.end(`internal ${String(request.url)}`),
  },
  checks: { database: () => (scenario === 'has no database' ? Promise.reject(new Error('refused')) : undefined) },
  // Scenarios that do not end are cut off; the limit is long enough for others on a busy machine.
  shutdownSeconds: scenario === 'hangs' || scenario === 'closes for ever' ? 1 : 30,
  release: { version: '1.2.3', commit: '0123abc' },
});
