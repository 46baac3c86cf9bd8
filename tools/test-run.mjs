import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDependencies, ROOT } from './bootstrap.mjs';
import { buildAll } from './build.mjs';
import { Children } from './test-children.mjs';
import { runJest } from './test-jest.mjs';
import { startSystem, startTestServers } from './test-servers.mjs';

const STAGES = ['lint', 'types', 'unit', 'integration', 'e2e'];
const USAGE = `npm test -- [--only=${STAGES.join(',')}] [path ...]
  --only   the stages to run, default all
  path     files or folders; limits lint and tests to them
Servers: TEST_POSTGRES_URL (superuser) and TEST_AMQP_URL if given; else in Docker with TEST_SERVERS=docker (images:
TEST_POSTGRES_IMAGE, TEST_RABBITMQ_IMAGE); else an embedded Postgres and a RabbitMQ that is found or installed on this machine.`;

/** Runs the stages, prints \`N passed, N failed\` as the last line and exits accordingly. */
export async function runTests(args) {
  const { stages, paths } = parse(args);
  const children = new Children();
  const totals = { passed: 0, failed: 0 };
  const started = performance.now();
  let servers;

  const finish = async () => {
    await children.endAll();
    await servers?.stop();
    console.log(`${totals.passed} passed, ${totals.failed} failed`);
    process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
  };
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (interrupted) return;
      interrupted = true;
      say(`Stopped by ${signal}; stopping all processes`);
      totals.failed += 1;
      void finish();
    });
  }

  /** A stage adds to the totals whatever happens in it: a crash is a failure. */
  const stage = async (name, run) => {
    if (!stages.has(name) || interrupted) return;
    const begun = performance.now();
    say(`${name} started`);
    const result = await run().catch((error) => ({ passed: 0, failed: 1, notes: [messageOf(error)] }));
    if (interrupted) return;
    totals.passed += result.passed;
    totals.failed += result.failed;
    for (const note of result.notes ?? []) say(`${name}: ${note}`);
    say(`${name}: ${result.passed} passed, ${result.failed} failed in ${seconds(begun)}`);
  };

  try {
    await ensureDependencies(say);
    if (['integration', 'e2e'].some((name) => stages.has(name))) {
      await buildAll({ projects: ['tools'] });
      // Begun now and awaited when needed: they come up while lint and types run.
      servers = startTestServers({ children, say });
    }
    await Promise.all([
      stage('lint', () => lint(children, paths)),
      (async () => {
        await stage('types', () => types(children));
        await stage('unit', () => runJest(children, { project: 'unit', paths }));
      })(),
    ]);
    await stage('integration', async () => {
      const { env } = await servers.ready;
      return runJest(children, { project: 'integration', paths, env, workers: 3, testTimeoutMs: 90_000 });
    });
    await stage('e2e', async () => {
      const { env, runDir } = await servers.ready;
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
        const run = withMoney([stories, faults, drills].reduce(sum), await moneyAgrees(children, system));
        return withTelemetry(run, await telemetryAgrees(children, system));
      } finally {
        await system.stop();
      }
    });
  } catch (error) {
    totals.failed += 1;
    say(messageOf(error));
  }
  if (interrupted) return;
  say(`Total time: ${seconds(started)}`);
  await finish();
}

/** Counts as one more test: over a whole run no money was made and none was lost. */
async function moneyAgrees(children, { env }) {
  const program = join(ROOT, 'dist', 'apps', 'e2e', 'money-agrees.js');
  const { code } = await children.run('money', [program, env.E2E_RUN_DIRECTORY]);
  return code === 0;
}

/** Counts as one more test: metrics and log lines of the whole run are those of the catalogue. */
async function telemetryAgrees(children, { env }) {
  const program = join(ROOT, 'dist', 'apps', 'e2e', 'telemetry-agrees.js');
  const { code } = await children.run('telemetry', [program, env.E2E_RUN_DIRECTORY]);
  return code === 0;
}

function withTelemetry({ passed, failed, notes }, agrees) {
  return agrees
    ? { passed: passed + 1, failed, notes }
    : {
        passed,
        failed: failed + 1,
        notes: [...notes, 'FAILED: the telemetry does not agree with its catalogue, see above'],
      };
}

function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    notes: [...one.notes, ...other.notes],
  };
}

function withMoney({ passed, failed, notes }, agrees) {
  return agrees
    ? { passed: passed + 1, failed, notes }
    : {
        passed,
        failed: failed + 1,
        notes: [...notes, 'FAILED: the money does not agree; what is wrong with it is above'],
      };
}

function parse(args) {
  if (args.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const unknown = args.filter((arg) => arg.startsWith('--') && !arg.startsWith('--only='));
  const only = args.filter((arg) => arg.startsWith('--only=')).flatMap((arg) => arg.slice('--only='.length).split(','));
  const wrong = [...unknown, ...only.filter((name) => !STAGES.includes(name))];
  if (wrong.length > 0) {
    console.error(`Unknown argument ${wrong.join(', ')}.\n\n${USAGE}`);
    process.exit(2);
  }
  return { stages: new Set(only.length > 0 ? only : STAGES), paths: args.filter((arg) => !arg.startsWith('--')) };
}

/** The pages of the dashboard have the types of a browser, so they are a program of their own. */
async function types(children) {
  const programs = ['tsconfig.json', join('apps', 'dashboard-web', 'tsconfig.json')];
  const results = [];
  for (const program of programs) results.push(await command(children, 'types', 'tsc', ['--noEmit', '-p', program]));
  return results.every(({ failed }) => failed === 0) ? PASSED : FAILED;
}

async function lint(children, paths) {
  const where = paths.filter((path) => existsSync(new URL(path, `file://${ROOT}/`)));
  const targets = where.length > 0 ? where : ['.'];
  // The boundary rule reads the project graph that Nx has written down; without one it says so and checks nothing.
  const nx = await command(children, 'lint', 'nx', ['show', 'projects'], { env: NX });
  const skipped = new Set();
  const onLine = (line) => line.includes('rule will be skipped') && skipped.add(line);
  const eslint = await command(children, 'lint', 'eslint', ['--max-warnings=0', ...targets], { onLine });
  const prettier = await command(children, 'lint', 'prettier', ['--check', '--log-level=warn', ...targets]);
  const failed = nx.failed + eslint.failed + prettier.failed + skipped.size > 0;
  return failed ? { ...FAILED, notes: [...skipped] } : PASSED;
}

const NX = { NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
const PASSED = { passed: 1, failed: 0 };
const FAILED = { passed: 0, failed: 1 };

/** A tool that only says yes or no counts as one test. */
async function command(children, label, tool, args, options) {
  const { code } = await children.run(label, [executable(tool), ...args], options);
  return code === 0 ? PASSED : FAILED;
}

/** The script behind a command, where its package says that it lies. */
function executable(tool) {
  const folder = join(ROOT, 'node_modules', tool === 'tsc' ? 'typescript' : tool);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[tool]);
}

function say(sentence) {
  console.log(`[${new Date().toISOString().slice(11, 19)}] ${sentence}`);
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
