import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { databaseOf, type RunningSystem } from '../system';
import { cpuMsOf } from './cpu';
import { print } from './print';

/** Totals since the start of the processes. NaN if the machine does not provide them. */
export interface Usage {
  /** Key: service, Postgres or RabbitMQ. */
  readonly processorMs: Readonly<Record<string, number>>;
  /** Voluntary context switches, which count how often a thread began to wait. Same keys. */
  readonly waits: Readonly<Record<string, number>>;
  readonly commits: number;
  /** Of all services. Statements that are sent together count once. */
  readonly roundTrips: number;
  readonly walBytes: number;
  /** Confirmed by RabbitMQ. A message contains up to 20 events. */
  readonly messages: number;
  readonly httpRequests: number;
}

/** Includes the broker only if `npm start` has started it. */
export async function usageOf(system: RunningSystem, runDirectory: string): Promise<Usage> {
  const brokerFile = join(runDirectory, 'rabbitmq', 'pid');
  const postgres = await postgresUsage(system);
  const parts: Readonly<Record<string, readonly number[]>> = {
    ...Object.fromEntries(Object.entries(system.services).map(([name, { pid }]) => [name, [pid]])),
    Postgres: postgres.pids,
    RabbitMQ: existsSync(brokerFile) ? [Number(readFileSync(brokerFile, 'utf8'))] : [],
  };
  const isKnown = (pids: readonly number[]) => existsSync('/proc/self/task') && pids.length > 0;
  const ofParts = (count: (pid: number) => number) =>
    Object.fromEntries(Object.entries(parts).map(([name, pids]) => [name, isKnown(pids) ? sumOf(pids, count) : NaN]));
  return {
    processorMs: ofParts(cpuMsOf),
    waits: ofParts(voluntarySwitchesOf),
    commits: postgres.commits,
    roundTrips: await sumOfMetric(system, 'database_round_trips_total'),
    walBytes: postgres.walBytes,
    messages: await sumOfMetric(system, 'messaging_confirm_seconds_count'),
    httpRequests: await sumOfMetric(system, 'http_request_duration_seconds_count'),
  };
}

/** Costs depend less on the speed of the machine than latencies. */
export interface PaymentCost {
  readonly processorMs: Readonly<Record<string, number>>;
  readonly waits: Readonly<Record<string, number>>;
  readonly commits: number;
  readonly roundTrips: number;
  readonly walKilobytes: number;
  readonly messages: number;
  readonly httpRequests: number;
}

export function costPerPayment(before: Usage, after: Usage, payments: number): PaymentCost {
  const each = (earlier: number, later: number) => (later - earlier) / payments;
  const eachPart = (earlier: Usage['waits'], later: Usage['waits']) =>
    Object.fromEntries(Object.entries(later).map(([name, value]) => [name, each(earlier[name] ?? NaN, value)]));
  return {
    processorMs: eachPart(before.processorMs, after.processorMs),
    waits: eachPart(before.waits, after.waits),
    commits: each(before.commits, after.commits),
    roundTrips: each(before.roundTrips, after.roundTrips),
    walKilobytes: each(before.walBytes, after.walBytes) / 1_024,
    messages: each(before.messages, after.messages),
    httpRequests: each(before.httpRequests, after.httpRequests),
  };
}

export function printPaymentCost(cost: PaymentCost): void {
  const total = (parts: Readonly<Record<string, number>>) =>
    Object.values(parts).reduce((sum, value) => sum + value, 0);
  print(
    `    per payment: ${cost.commits.toFixed(2)} commits, ${cost.roundTrips.toFixed(2)} SQL round trips, ` +
      `${cost.walKilobytes.toFixed(1)} KB of WAL, ` +
      `${cost.messages.toFixed(2)} messages, ${cost.httpRequests.toFixed(2)} HTTP requests, ` +
      `${total(cost.waits).toFixed(1)} voluntary context switches, ${total(cost.processorMs).toFixed(2)} ms of processor time`,
  );
  for (const [name, ms] of Object.entries(cost.processorMs)) {
    print(`      ${name.padEnd(30)}${ms.toFixed(2).padStart(8)} ms, ${(cost.waits[name] ?? NaN).toFixed(1)} switches`);
  }
}

/** The server process and its child processes. */
async function postgresUsage(system: RunningSystem) {
  const client = new pg.Client({ connectionString: databaseOf(system, 'intent-api') });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; commits: number; wal: number }>(
      `select pg_backend_pid() as pid, sum(xact_commit)::float8 as commits,
              pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
         from pg_stat_database`,
    );
    const { pid: own = 0, commits = NaN, wal = NaN } = rows[0] ?? {};
    const server = parentOf(own);
    const started = server === undefined ? [] : processes().filter((pid) => pid !== own && parentOf(pid) === server);
    return { pids: server === undefined ? [] : [server, ...started], commits, walBytes: wal };
  } finally {
    await client.end();
  }
}

/** Sum over all services and label values. */
async function sumOfMetric(system: RunningSystem, name: string): Promise<number> {
  const pages = await Promise.all(
    Object.values(system.services).map(async ({ privateUrl }) => (await fetch(new URL('/metrics', privateUrl))).text()),
  );
  const values = pages.flatMap((page) =>
    page
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/** Sum over all threads. 0 if the process has ended. */
function voluntarySwitchesOf(pid: number): number {
  try {
    return sumOf(readdirSync(`/proc/${pid}/task`), (thread) => {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
      return Number(/^voluntary_ctxt_switches:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
    });
  } catch {
    return 0;
  }
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  // A process that has ended counts as 0.
  return items.reduce((sum, item) => sum + (valueOf(item) || 0), 0);
}

function processes(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function parentOf(pid: number): number | undefined {
  try {
    // The program name before these fields is in parentheses and may contain any character.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
