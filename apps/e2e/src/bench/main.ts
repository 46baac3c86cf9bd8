/**
 * npm run bench: end-to-end figures of a running system beside the floors of this machine, measured in the same run.
 * Usage: main.js <run directory of the system> <floor server file> [--short] [--json FILE] [--payments | --growth |
 * --intake | --checkout | --webhooks | --decisions | --lists LIST,LIST | --dashboards N]; with --payments nothing but
 * whole payments per second, with --growth nothing but the figures of a merchant with very many intents, which the
 * whole run ends with; with --intake nothing but those of SMS intake, with --checkout those of checkout, with
 * --webhooks those of webhook-dispatcher, with --decisions those of reconciler, with --lists those of the dashboard's
 * lists with very many rows, with --dashboards payments per second without and with open dashboards.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { StopRequested, StopSignal } from '@pay/local-servers';
import { atRest } from './at-rest';
import { CHECKOUT_PAYMENTS_PER_SECOND, measureCheckout, type CheckoutFigures } from './checkout';
import { postgresAsServicesReachIt, readSystem, type RunningSystem } from '../system';
import { measureDecisions } from './decisions';
import { measureWithDashboards } from './dashboards';
import { besideFloor } from './beside-floor';
import { floorMeter, measureFloors, type FloorMeter } from './floors';
import { insertLatency } from './insert-latency';
import { measureGrowth, type GrowthFigures } from './growth';
import { Opened } from './opened';
import { costPerPayment, printPaymentCost, usageOf, type PaymentCost } from './payment-cost';
import { FILLED_LISTS, measureLists } from './lists';
import { printDecisions } from './print-decisions';
import { floorRow, latencyRow, print, row } from './print';
import { printDashboards, printLists } from './print-lists';
import { noisyNeighbour, type NoisyNeighbourFigures } from './rate-limits';
import { Bench, type PaymentFigures } from './scenarios';
import { measureSmsIntake, type SmsIntakeFigures } from './sms-intake';
import { EVENTS_PER_SECOND } from './webhook-fairness';
import { measureWebhooks, type WebhookFigures } from './webhooks';

/** Payments in progress while throughput is measured, like a few hundred shops in a busy hour. */
const IN_FLIGHT = 400;

/** With --short: fewer rows and seconds, to test the benchmark itself. */
const GROWTH = { sizes: [10_000, 1_000_000], requestsEach: 300, secondsEach: 4 };
const SHORT_GROWTH = { sizes: [2_000, 20_000], requestsEach: 40, secondsEach: 1 };

const LISTS = { rows: 1_000_000, requestsEach: 20 };
const SHORT_LISTS = { rows: 20_000, requestsEach: 5 };

const WITH_DASHBOARDS = { pairs: 4, seconds: 10, warmSeconds: 15 };
const SHORT_WITH_DASHBOARDS = { pairs: 2, seconds: 4, warmSeconds: 4 };

const CHECKOUT = { seconds: 5, payments: 200, streams: 2_000 };
const SHORT_CHECKOUT = { seconds: 1, payments: 20, streams: 200 };

const WEBHOOKS = { seconds: 20, payments: 150, queued: 100_000 };
const SHORT_WEBHOOKS = { seconds: 4, payments: 30, queued: 10_000 };

const DECISIONS = {
  payments: 30_000,
  sizes: [1_000, 100_000, 1_000_000],
  rounds: 40,
  expiring: 100_000,
  dueWithinSeconds: 60,
};
const SHORT_DECISIONS = {
  payments: 3_000,
  sizes: [1_000, 20_000],
  rounds: 5,
  expiring: 5_000,
  dueWithinSeconds: 5,
};

const opened = new Opened();

async function main(): Promise<void> {
  const signal = new StopSignal();
  signal.listen();
  void signal.requested.then((reason) => print(`Stopping (${reason})`));
  // Errors of connections are thrown outside the measurement that uses them, also while everything is closed.
  const crash = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  try {
    await signal.orStop(Promise.race([measure(), crash]));
  } finally {
    await opened.close();
  }
}

async function measure(): Promise<void> {
  const [runDirectory = '.run', serverFile = ''] = process.argv.slice(2);
  const isShort = process.argv.includes('--short');
  const jsonFile = optionOf('--json');
  const system = readSystem(runDirectory);
  const lists = optionOf('--lists');
  if (lists !== undefined) {
    const asked = lists === 'all' ? FILLED_LISTS : lists.split(',');
    const names = FILLED_LISTS.filter((name) => asked.includes(name));
    if (names.length < asked.length) throw new Error(`--lists takes all, or some of ${FILLED_LISTS.join(',')}`);
    const size = isShort ? SHORT_LISTS : LISTS;
    const figures = await measureLists(system, { runDirectory, lists: names, ...size });
    figures.forEach(printLists);
    keep(jsonFile, { lists: figures });
    return;
  }

  const dashboards = Number(optionOf('--dashboards') ?? 0);
  if (dashboards > 0) {
    const size = isShort ? SHORT_WITH_DASHBOARDS : WITH_DASHBOARDS;
    const figures = await measureWithDashboards(system, { dashboards, inFlight: IN_FLIGHT, ...size });
    printDashboards(figures);
    if (figures.lost + figures.duplicated > 0) process.exitCode = 1;
    keep(jsonFile, { dashboards: figures });
    return;
  }

  print('floors (this machine, this run)');
  const floorUrls = {
    postgresUrl: postgresAsServicesReachIt(system).toString(),
    amqpUrl: system.amqpUrl,
    serverFile,
    opened,
  };
  const floors = await measureFloors(floorUrls);
  const meter = floorMeter(floorUrls);
  row('Express + one INSERT', floors.expressInsertPerSecond, '/s');
  row('Express + one SELECT by key', floors.expressSelectPerSecond, '/s');
  row('confirmed publish, 64 in flight', floors.confirmedPublishPerSecond, '/s');
  row('bare HTTP POST, 16 connections', floors.httpPostPerSecond, '/s');

  const only = ['--payments', '--growth', '--intake', '--checkout', '--webhooks', '--decisions'].find((option) =>
    process.argv.includes(option),
  );
  const whole =
    only === '--payments'
      ? await measureThroughput(system, runDirectory, isShort)
      : only
        ? {}
        : await measurePayments(system, meter, {
            isShort,
            runDirectory,
            noiseFile: join(dirname(serverFile), 'noise.js'),
          });
  const wanted = (part: string): boolean => only === undefined || only === part;
  const intake = !wanted('--intake')
    ? undefined
    : await measureSmsIntake(system, {
        runDirectory,
        parseFile: join(dirname(serverFile), '..', 'sms-ingest', 'measure-parsing.js'),
        seconds: isShort ? 1 : 5,
        floor: meter.insert,
      });
  if (intake) printIntake(intake);
  const checkout = !wanted('--checkout')
    ? undefined
    : await measureCheckout(system, { ...(isShort ? SHORT_CHECKOUT : CHECKOUT), floor: meter.insert });
  if (checkout) {
    printCheckout(checkout);
    await printInsert(system, CHECKOUT_PAYMENTS_PER_SECOND, isShort);
  }
  const webhooks = !wanted('--webhooks')
    ? undefined
    : await measureWebhooks(system, isShort ? SHORT_WEBHOOKS : WEBHOOKS);
  if (webhooks) {
    printWebhooks(webhooks);
    await printInsert(system, EVENTS_PER_SECOND, isShort);
  }
  const decisions = !wanted('--decisions')
    ? undefined
    : await measureDecisions(system, {
        bundles: join(dirname(serverFile), '..', 'reconciler'),
        opened,
        ...(isShort ? SHORT_DECISIONS : DECISIONS),
      });
  if (decisions) printDecisions(decisions);
  const growth = !wanted('--growth')
    ? []
    : await measureGrowth(system, { runDirectory, floors: meter, ...(isShort ? SHORT_GROWTH : GROWTH) });
  for (const figures of growth) printGrowth(figures);
  keep(jsonFile, { floors, ...whole, intake, checkout, webhooks, decisions, growth });
}

function optionOf(name: string): string | undefined {
  return process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
}

function keep(jsonFile: string | undefined, measured: object): void {
  if (jsonFile === undefined) return;
  const figures = { at: new Date().toISOString(), node: process.version, cores: cpus().length, ...measured };
  writeFileSync(jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  print(`written to ${jsonFile}`);
}

/** Only complete payments per second: short enough to compare two builds alternately within an hour. */
async function measureThroughput(system: RunningSystem, runDirectory: string, isShort: boolean) {
  const bench = await Bench.open(system);
  try {
    await bench.sustainedPayments(IN_FLIGHT, isShort ? 4 : 20);
    await atRest(system);
    const sustained = () => bench.sustainedPayments(IN_FLIGHT, isShort ? 5 : 30);
    const { figures: payments, cost } = await withCost(system, runDirectory, sustained);
    printPayments(payments);
    await printInsert(system, payments.perSecond, isShort);
    printPaymentCost(cost);
    if (payments.lost + payments.duplicated > 0) process.exitCode = 1;
    return { payments, cost };
  } finally {
    await bench.close();
  }
}

async function measurePayments(
  system: RunningSystem,
  meter: FloorMeter,
  { isShort, runDirectory, noiseFile }: { isShort: boolean; runDirectory: string; noiseFile: string },
) {
  const bench = await Bench.open(system);
  try {
    print('the running system, each service at its own port');
    // Warms up, because the first figures of a process are those of its compiler.
    await bench.sustainedPayments(IN_FLIGHT, isShort ? 4 : 20);
    await atRest(system);
    const postgresUrl = postgresAsServicesReachIt(system).toString();
    const steady = async (perSecond: number, seconds: number) => {
      const insertMs = await insertLatency(opened, postgresUrl, { perSecond, seconds });
      const { figures, cost } = await withCost(system, runDirectory, () => bench.latency(perSecond, seconds));
      latencyRow(`SMS accepted to webhook, ${perSecond}/s`, figures);
      latencyRow(`  one INSERT, ${perSecond}/s`, { ...insertMs, perSecond, payments: 0, late: 0 });
      printPaymentCost(cost);
      return { figures: { ...figures, insertMs }, cost };
    };
    const { figures: at10, cost: costAt10 } = await steady(10, isShort ? 3 : 15);
    const { figures: at50, cost: costAt50 } = await steady(50, isShort ? 3 : 20);
    const intents = await besideFloor(() => bench.intentsPerSecond(isShort ? 1 : 5), {
      floor: meter.insert,
      rest: () => atRest(system),
    });
    floorRow('intents created', intents);
    const sustained = () => bench.sustainedPayments(IN_FLIGHT, isShort ? 5 : 30);
    const { figures: payments, cost } = await withCost(system, runDirectory, sustained);
    printPayments(payments);
    await printInsert(system, payments.perSecond, isShort);
    printPaymentCost(cost);
    if (payments.lost + payments.duplicated + at10.late + at50.late > 0) process.exitCode = 1;
    await atRest(system);
    const neighbour = await noisyNeighbour(system, { runDirectory, noiseFile, seconds: isShort ? 4 : 20, opened });
    printNeighbour(neighbour);
    return {
      intents,
      payments,
      latency: { at10, at50 },
      cost: { at10: costAt10, at50: costAt50, most: cost },
      neighbour,
    };
  } finally {
    await bench.close();
  }
}

/** One INSERT at the rate of the latencies above it. */
async function printInsert(system: RunningSystem, perSecond: number, isShort: boolean): Promise<void> {
  const rate = Math.max(1, Math.round(perSecond));
  const postgresUrl = postgresAsServicesReachIt(system).toString();
  const insertMs = await insertLatency(opened, postgresUrl, { perSecond: rate, seconds: isShort ? 2 : 10 });
  latencyRow(`  one INSERT, ${rate}/s`, { ...insertMs, perSecond, payments: 0, late: 0 });
}

/** The cost includes periodic work of the system. */
async function withCost<Figures extends { readonly payments: number }>(
  system: RunningSystem,
  runDirectory: string,
  measure: () => Promise<Figures>,
): Promise<{ figures: Figures; cost: PaymentCost }> {
  await atRest(system);
  const before = await usageOf(system, runDirectory);
  const figures = await measure();
  return { figures, cost: costPerPayment(before, await usageOf(system, runDirectory), figures.payments) };
}

function printPayments({ perSecond, seconds, payments, lost, duplicated, latencyMs }: PaymentFigures): void {
  row(
    'payments, all steps done',
    perSecond,
    `/s over ${seconds.toFixed(0)} s: ${payments} paid, ${lost} lost, ${duplicated} duplicated`,
  );
  latencyRow('  SMS accepted to webhook then', { ...latencyMs, perSecond: 0, payments, late: lost });
}

function printIntake({ single, batchPerSecond, parsedPerSecond }: SmsIntakeFigures): void {
  print('a phone that forwards, at sms-ingest’s own port');
  floorRow('one SMS per request', single);
  row('100 per request: messages', batchPerSecond, '/s');
  row('texts read by one core', parsedPerSecond, '/s');
}

function printNeighbour({ quietMs, loadedMs, ratio, noise, failed }: NoisyNeighbourFigures): void {
  print('a LIVE key beside another that sends ten times its limit');
  print(`  its requests, alone                p50 ${quietMs.p50} ms, p99 ${quietMs.p99} ms`);
  print(
    `  meanwhile                          p50 ${loadedMs.p50} ms, p99 ${loadedMs.p99} ms (${ratio.toFixed(2)} times)`,
  );
  row(
    'the other: sent',
    noise.sentPerSecond,
    `/s, ${noise.admittedPerSecond.toFixed(0)}/s admitted, ${noise.refused} times 429`,
  );
  if (failed > 0) process.exitCode = 1;
}

function printCheckout({ views, notifiedMs, many, lost }: CheckoutFigures): void {
  print('the checkout, as a customer’s phone asks for it');
  floorRow('views', views);
  latencyRow('SMS accepted to stream notified', { ...notifiedMs, perSecond: 0, payments: 0, late: lost });
  latencyRow(`  beside ${many.streams} open streams`, { ...many.notifiedMs, perSecond: 0, payments: 0, late: 0 });
  row(
    '  memory of these streams',
    many.openMegabytes - many.idleMegabytes,
    `MB, ${many.openMegabytes.toFixed(0)} MB in all`,
  );
  if (lost > 0) process.exitCode = 1;
}

function printWebhooks({ deliveriesPerSecond, repeated, firstByteMs, fairness, backlog }: WebhookFigures): void {
  print('webhooks, by one dispatcher');
  row('delivered', deliveriesPerSecond, `/s to one endpoint of this machine (target 800), ${repeated} repeated`);
  latencyRow('commit to first byte, idle', { ...firstByteMs, perSecond: 0, payments: 0, late: 0 });
  latencyRow('event to first attempt, 50/s', { ...fairness.quietMs, perSecond: 0, payments: 0, late: 0 });
  latencyRow('  beside an endpoint that hangs', { ...fairness.besideMs, perSecond: 0, payments: 0, late: 0 });
  row('  requests that it held at most', fairness.heldAtMost, '');
  const { deliveries, idleMegabytes, queueingMegabytes, queuedMegabytes, drainingMegabytes } = backlog;
  row(
    `memory with ${deliveries} waiting`,
    queuedMegabytes,
    `MB, ${idleMegabytes.toFixed(0)} MB before; at most ${queueingMegabytes.toFixed(0)} MB while they came, ${drainingMegabytes.toFixed(0)} MB while they were sent`,
  );
  row('  sent when the endpoints were back', backlog.drainedPerSecond, '/s');
}

function printGrowth({ intents, create, retrieve, latencyMs }: GrowthFigures): void {
  print(`a merchant with ${intents.toLocaleString('en')} intents, at intent-api's own port`);
  floorRow('create', create);
  floorRow('retrieve', retrieve);
  for (const [name, { p50, p99 }] of Object.entries(latencyMs)) {
    print(`  ${name.padEnd(38)} p50 ${p50} ms, p99 ${p99} ms`);
  }
}

main().catch((error: unknown) => {
  const text = error instanceof StopRequested ? error.message : error instanceof Error ? error.stack : undefined;
  process.stderr.write(`${text ?? String(error)}\n`);
  // Measurements that were interrupted continue until the end of the process.
  process.exit(1);
});
