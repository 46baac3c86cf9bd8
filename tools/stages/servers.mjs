import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { serviceNode } from '../service-node.mjs';
import { startSpanCollector } from './span-collector.mjs';

/** A separate process runs the servers and stops them when this process ends. */
export function startTestServers({ children, say }) {
  const child = children.start('servers', [join(ROOT, 'dist', 'tools', 'test-servers.js')], { ipc: true });
  child.endsItself = true;
  const ready = new Promise((resolve, reject) => {
    child.once('message', ({ runDir, postgresUrl, amqpUrl, amqpPasswordsFile, sentence, versions }) => {
      say(sentence);
      const accounts = amqpPasswordsFile === undefined ? {} : { TEST_AMQP_PASSWORDS_FILE: amqpPasswordsFile };
      resolve({
        runDir,
        servers: `${sentence}; ${versions}`,
        env: { TEST_POSTGRES_URL: postgresUrl, TEST_AMQP_URL: amqpUrl, ...accounts, TMPDIR: join(runDir, 'tmp') },
      });
    });
    void child.ended.then(() => reject(new Error('The test servers did not start; see the output above.')));
  });
  // Stages that need the servers receive the rejection. It must not end the run earlier.
  ready.catch(() => undefined);
  return {
    ready,
    stop: async () => {
      if (child.connected) child.disconnect();
      await child.ended;
    },
  };
}

/**
 * Starts the system as `npm start` does, on the given servers or its own. Its folder `name` is inside the folder of the
 * run, and spans are stored in `spans`.
 */
export async function startSystem({ children, name, servers, runDir, say }) {
  const systemDir = join(runDir, name);
  const node = await serviceNode(say);
  const collector = await startSpanCollector(join(systemDir, 'spans'));
  say(`starting the six services of ${name}`);
  const child = children.start(name, [join(ROOT, 'dist', 'tools', 'start.js'), '--no-demo', '--run-dir', systemDir], {
    ipc: true,
    env: {
      ...servers,
      SERVICE_NODE: node,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      TRACE_SAMPLE_RATIO: '1',
      // Production waits two minutes for texts in transit. The stories play a day in that time.
      MISSING_SMS_GRACE_SECONDS: '2',
    },
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    void child.ended.then(() => reject(new Error('The system did not start; see the output above.')));
  });
  return {
    env: { E2E_RUN_DIRECTORY: systemDir, SERVICE_NODE: node },
    stop: async () => {
      child.kill('SIGTERM');
      const { code } = await child.ended;
      await collector.stop();
      if (code !== 0) throw new Error(`The system did not stop cleanly: exit code ${code}.`);
    },
  };
}
