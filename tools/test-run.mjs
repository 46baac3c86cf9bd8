import { ensureDependencies } from './bootstrap.mjs';
import { buildAll } from './build.mjs';
import { Children } from './stages/children.mjs';
import { allLogged, LOGGING_STAGES } from './stages/log-events.mjs';
import { runThroughNx } from './stages/nx.mjs';
import { STAGES } from './stages/run-stage.mjs';
import { say } from './stages/say.mjs';
import { startTestServers } from './stages/servers.mjs';

const NAMES = Object.keys(STAGES);
const NEED_SERVERS = ['integration', 'e2e'];
/** Computed from the results of other stages. */
const LOG_EVENTS = 'log events';
const SKIP_CACHE = '--skip-nx-cache';
const USAGE = `npm test -- [--only=${NAMES.join(',')}] [${SKIP_CACHE}] [path ...]
  --only            the stages to run, default all
  ${SKIP_CACHE}   runs everything; else what has not changed since it last passed is not run again
  path              files or folders; limits lint and tests to them, which are run without the cache
Servers: TEST_POSTGRES_URL (superuser) and TEST_AMQP_URL if given; else in Docker with TEST_SERVERS=docker (images:
TEST_POSTGRES_IMAGE, TEST_RABBITMQ_IMAGE); else an embedded Postgres and a RabbitMQ that is found or installed on this machine.
What stops servers or services starts its own.
Example: npm test -- --only=unit tools`;

/** Prints `N passed, N failed` as the last line and sets the exit code. */
export async function runTests(args) {
  const { stages, paths, skipCache } = parse(args);
  const children = new Children();
  const totals = { passed: 0, cached: 0, failed: 0 };
  const failures = [];
  const logged = new Set();
  const started = performance.now();
  let servers;

  const finish = async () => {
    await children.endAll();
    await servers?.stop();
    // Repeated at the end, because the output of a run has thousands of lines.
    for (const failure of failures) console.log(failure);
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

  /** Every stage counts in the totals. A crash is a failure. */
  const stage = async (name) => {
    if (!stages.has(name) || interrupted) return;
    const begun = performance.now();
    say(`${name} started`);
    const result = await run(name).catch((error) => ({ passed: 0, failed: 1, notes: [messageOf(error)] }));
    if (interrupted) return;
    const { passed, failed, cached = 0, notes = [], logEvents = [] } = result;
    for (const event of logEvents) logged.add(event);
    totals.passed += passed;
    totals.cached += cached;
    totals.failed += failed;
    for (const note of notes) say(`${name}: ${note}`);
    if (failed > 0) failures.push(...notes.filter((note) => !note.startsWith('the slowest files')));
    say(`${name}: ${passed} passed${ofTheCache(cached)}, ${failed} failed in ${seconds(begun)}`);
  };

  const run = async (name) => {
    if (name === LOG_EVENTS) return allLogged(logged);
    const started = NEED_SERVERS.includes(name) ? await servers.ready : undefined;
    if (paths.length > 0) return STAGES[name](children, { ...started, paths });
    return runThroughNx(children, name, { ...started, skipCache });
  };

  try {
    await ensureDependencies(say);
    if (NEED_SERVERS.some((name) => stages.has(name))) {
      await buildAll({ projects: ['tools'] });
      // Started now and awaited later: the servers start while lint and types run.
      servers = startTestServers({ children, say });
    }
    await Promise.all([
      stage('lint'),
      (async () => {
        await stage('types');
        await stage('unit');
      })(),
    ]);
    await stage('integration');
    await stage('e2e');
    await stage(LOG_EVENTS);
  } catch (error) {
    totals.failed += 1;
    say(messageOf(error));
  }
  if (interrupted) return;
  say(`Total time: ${seconds(started)}`);
  if (totals.cached > 0)
    say(`${totals.cached} results are from the cache: nothing that they depend on has changed. ${SKIP_CACHE} runs all`);
  await finish();
}

function parse(args) {
  if (args.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const unknown = args.filter((arg) => arg.startsWith('--') && !arg.startsWith('--only=') && arg !== SKIP_CACHE);
  const only = args.filter((arg) => arg.startsWith('--only=')).flatMap((arg) => arg.slice('--only='.length).split(','));
  const wrong = [...unknown, ...only.filter((name) => !NAMES.includes(name))];
  if (wrong.length > 0) {
    console.error(`Unknown argument ${wrong.join(', ')}.\n\n${USAGE}`);
    process.exit(2);
  }
  const stages = new Set(only.length > 0 ? only : NAMES);
  const paths = args.filter((arg) => !arg.startsWith('--'));
  if (paths.length === 0 && LOGGING_STAGES.every((name) => stages.has(name))) stages.add(LOG_EVENTS);
  return { stages, skipCache: args.includes(SKIP_CACHE), paths };
}

function ofTheCache(count) {
  return count > 0 ? ` (${count} of them from the cache)` : '';
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
