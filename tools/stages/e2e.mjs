import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { buildAll } from '../build.mjs';
import { serviceNode } from '../service-node.mjs';
import { runJest } from './jest.mjs';
import { startSystem } from './servers.mjs';

/** The system starts its own servers, regardless of the environment. */
const OWN = { DATABASE_URL: undefined, AMQP_URL: undefined, AMQP_PASSWORDS_FILE: undefined };

/**
 * Stories, faults and drills run at the same time, because faults and drills mostly wait. Faults stop services and use
 * up limits, so they have a separate system; each drill starts its own.
 */
export async function e2e(children, { paths = [], env, runDir, say }) {
  await buildAll();
  const options = { paths, env, testTimeoutMs: 120_000 };
  const given = {
    DATABASE_URL: env.TEST_POSTGRES_URL,
    AMQP_URL: env.TEST_AMQP_URL,
    AMQP_PASSWORDS_FILE: env.TEST_AMQP_PASSWORDS_FILE,
  };
  const parts = {
    stories: () => onSystem({ name: 'system', servers: given }, { project: 'e2e', workers: 2 }),
    faults: () => onSystem({ name: 'faults', servers: OWN }, { project: 'faults', workers: 1 }),
    drills: async () => {
      const SERVICE_NODE = await serviceNode(say);
      return runJest(children, { ...options, project: 'drills', workers: 1, env: { ...env, SERVICE_NODE } });
    },
  };

  async function onSystem(which, specs) {
    const system = await startSystem({ children, runDir, say, ...which });
    try {
      const result = await runJest(children, { ...options, ...specs, env: { ...env, ...system.env } });
      const afterwards = [
        // Invariants over the complete run: no payment was duplicated or lost.
        await agrees(children, system, 'money', 'the money does not agree; what is wrong with it is above'),
        // Metrics and log lines of the complete run must be in the catalogue.
        await agrees(children, system, 'telemetry', 'the telemetry does not agree with its catalogue, see above'),
      ];
      return [result, ...afterwards].reduce(sum);
    } finally {
      await system.stop();
    }
  }

  const results = await Promise.all(askedFor(paths).map((part) => parts[part]()));
  return results.reduce(sum);
}

/** Parts with specs below these paths. */
function askedFor(paths) {
  if (paths.length === 0) return ['stories', 'faults', 'drills'];
  const partOf = (path) => /\/(faults|drills)(\/|$)/.exec(path)?.[1] ?? 'stories';
  const isWhole = (path) => !/apps\/e2e\/test\/./.test(path);
  return paths.some(isWhole) ? askedFor([]) : [...new Set(paths.map(partOf))];
}

/** Counts as one test. */
async function agrees(children, { env }, what, otherwise) {
  const program = join(ROOT, 'dist', 'apps', 'e2e', `${what}-agrees.js`);
  const { code } = await children.run(what, [program, env.E2E_RUN_DIRECTORY]);
  return code === 0 ? { passed: 1, failed: 0, notes: [] } : { passed: 0, failed: 1, notes: [`FAILED: ${otherwise}`] };
}

function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    notes: [...one.notes, ...other.notes],
  };
}
