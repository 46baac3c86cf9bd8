/**
 * `node tools/observe.mjs`: runs a real Prometheus with the rules on the running local system, and reports for each
 * dashboard query whether it returns data.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '@pay/local-servers';
import { ROOT } from './arguments';
import { endWith } from './end-with';
import { gatewayPath, type GatewayFile } from './gateway-file';
import { playPayment } from './play-payment';

const FOLDER = join(ROOT, 'deploy', 'observability');
const PATIENCE_MS = 180_000;
const ROUND_MS = 5_000;
/** Values for the variables of dashboards. */
const VARIABLES = { $__rate_interval: '30s', $environment: '.*', $service: '.*' };

interface Query {
  readonly dashboard: string;
  readonly panel: string;
  readonly expr: string;
}

async function observe(): Promise<number> {
  const { values } = parseArgs({ options: { 'run-dir': { type: 'string' } } });
  const runDir = resolve(values['run-dir'] ?? join(ROOT, '.run'));
  if (!existsSync(gatewayPath(runDir))) {
    process.stderr.write('No system is running here. Start one with npm start, or name its folder with --run-dir.\n');
    return 2;
  }
  if (spawnSync('prometheus', ['--version']).error !== undefined) {
    process.stderr.write('NOT CHECKED: Prometheus is not installed (Debian: apt-get install prometheus).\n');
    return 2;
  }
  const gateway = JSON.parse(readFileSync(gatewayPath(runDir), 'utf8')) as GatewayFile;
  const folder = mkdtempSync(join(tmpdir(), 'observe-'));
  const port = await freePort();
  writeFileSync(join(folder, 'prometheus.yml'), configuration(gateway));
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(prometheus, 'exit');
  const playing = new AbortController();
  const played = play(gateway, playing.signal);
  try {
    // Before the abort, `played` ends only with an error.
    return await Promise.race([report(`http://127.0.0.1:${port}`, playing.signal), played]);
  } finally {
    playing.abort();
    prometheus.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write(`${await played} payments were played meanwhile\n`);
  }
}

function configuration({ services }: GatewayFile): string {
  const targets = Object.entries(services).map(([service, { privateUrl }]) => ({
    targets: [new URL(privateUrl).host],
    labels: { service },
  }));
  // JSON is valid YAML.
  return JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '5s' },
    rule_files: [join(FOLDER, 'rules', '*.yaml')],
    scrape_configs: [{ job_name: 'payment-gateway', honor_labels: true, static_configs: targets }],
  });
}

/** Plays payments until it is stopped. Returns their number. */
async function play({ baseUrl, merchants: [merchant] }: GatewayFile, signal: AbortSignal): Promise<number> {
  if (merchant === undefined) throw new Error('the running system has no merchant');
  const silent = { say: () => undefined, step: <T>(_title: unknown, run: () => Promise<T>) => run() };
  let payments = 0;
  while (!signal.aborted) {
    await playPayment(baseUrl, merchant, silent);
    payments += 1;
    await delay(250);
  }
  return payments;
}

async function report(url: string, signal: AbortSignal): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  const queries = dashboardQueries();
  let series = new Map<Query, number>();
  do {
    await delay(ROUND_MS, undefined, { signal });
    series = new Map();
    for (const query of queries) series.set(query, await countSeries(url, query.expr).catch(() => 0));
  } while (Date.now() < deadline && [...series.values()].includes(0));
  for (const [{ dashboard, panel, expr }, count] of series) {
    const state = count === 0 ? 'NO DATA' : 'ok';
    process.stdout.write(
      `${state.padEnd(8)} ${String(count).padStart(4)} series  ${dashboard}: ${panel}  ${count === 0 ? expr : ''}\n`,
    );
  }
  const without = [...series.values()].filter((count) => count === 0).length;
  const { rules, failing, firing } = await rulesOf(url);
  for (const name of failing) process.stdout.write(`FAILS    rule ${name}\n`);
  process.stdout.write(
    `${queries.length - without} of ${queries.length} queries return data; ${rules} rules are evaluated, ${failing.length} fail; firing: ${firing.join(', ') || 'none'}\n`,
  );
  return without === 0 && failing.length === 0 && rules > 0 ? 0 : 1;
}

function dashboardQueries(): Query[] {
  const folder = join(FOLDER, 'dashboards');
  return readdirSync(folder).flatMap((file) => {
    const { title: dashboard, panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      title: string;
      panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
    };
    return panels.flatMap(({ title: panel, targets = [] }) =>
      targets.map(({ expr }) => ({ dashboard, panel, expr: withVariables(expr) })),
    );
  });
}

function withVariables(expr: string): string {
  return Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
}

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
  if (status !== 'success') throw new Error(error ?? `HTTP ${response.status}`);
  return data;
}

/** NaN does not count as a value. */
async function countSeries(url: string, expr: string): Promise<number> {
  const { result } = await get<{ result: readonly { value: [number, string] }[] }>(
    `${url}/api/v1/query?${new URLSearchParams({ query: expr }).toString()}`,
  );
  return result.filter(({ value: [, figure] }) => figure !== 'NaN').length;
}

async function rulesOf(url: string): Promise<{ rules: number; failing: string[]; firing: string[] }> {
  const { groups } = await get<{
    groups: readonly { rules: readonly { name: string; health: string; state?: string }[] }[];
  }>(`${url}/api/v1/rules`);
  const rules = groups.flatMap((group) => group.rules);
  return {
    rules: rules.length,
    failing: rules.filter(({ health }) => health !== 'ok').map(({ name }) => name),
    firing: rules.filter(({ state }) => state === 'firing').map(({ name }) => name),
  };
}

void endWith(observe, { failed: 2 });
