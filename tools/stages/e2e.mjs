import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { buildAll } from '../build.mjs';
import { runJest } from './jest.mjs';
import { startSystem } from './servers.mjs';

/** The stories, the faults and the drills on one running system, and what must hold for it over the whole run. */
export async function e2e(children, { paths = [], env, runDir, say }) {
  await buildAll();
  const system = await startSystem({ children, env, runDir, say });
  try {
    const options = { paths, env: { ...env, ...system.env }, testTimeoutMs: 120_000 };
    const stories = await runJest(children, { ...options, project: 'e2e', workers: 2 });
    // All of them mostly wait, and each drill has servers of its own.
    const [faults, drills] = await Promise.all([
      runJest(children, { ...options, project: 'faults', workers: 1 }),
      runJest(children, { ...options, project: 'drills', workers: 2 }),
    ]);
    const afterwards = [
      // Over a whole run no money was made and none was lost.
      await agrees(children, system, 'money', 'the money does not agree; what is wrong with it is above'),
      // Metrics and log lines of the whole run are those of the catalogue.
      await agrees(children, system, 'telemetry', 'the telemetry does not agree with its catalogue, see above'),
    ];
    return [stories, faults, drills, ...afterwards].reduce(sum);
  } finally {
    await system.stop();
  }
}

/** Counts as one more test. */
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
