/**
 * `npm run cluster`: the whole system on the cluster that KUBECONFIG names, from empty to a played payment, and then
 * what must hold there, one row each. Exit code 0: all of it holds; 1: it does not; 2: there is no cluster.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './arguments';
import { auditPayments } from './cluster/audit';
import { loadImages, prepareReleases } from './cluster/images';
import { install, seedCluster } from './cluster/install';
import { kubectl } from './cluster/kubectl';
import { LOAD_ROWS, oneReplicaEach } from './cluster/load-rows';
import { problemsOf } from './cluster/load-figures';
import { machineOf, nodeAddress } from './cluster/nodes';
import { networkRows, podAddresses } from './cluster/network-rows';
import { MAIL_PORTS, openOutsideServers } from './cluster/outside-servers';
import { overlayRows } from './cluster/overlay-rows';
import { parseClusterOptions, USAGE, type ClusterOptions } from './cluster/options';
import { PaymentLoad } from './cluster/payment-load';
import { readMemory, readPods, readyTimes, until } from './cluster/pods';
import { hasProblems, tablesOf } from './cluster/report';
import { emptyResults, RunFolder, type LoadRowResult, type Results } from './cluster/results';
import { isLoadRow, ROWS, type LoadRowName } from './cluster/rows';
import { endWith } from './end-with';
import { messageOf } from './message-of';
import { ProgressPrinter } from './progress-printer';
import { runBundle } from './run-bundle';
import type { Seed } from './seed-file';
import { machineEnvironment } from './service-environment';

const EDGE_PORT = 30_080;
const SERVER_IMAGES = ['postgres:17', 'rabbitmq:4-management'];
const NOT_CARRIED_THROUGH = { done: 'was not carried through' };

class ClusterRun {
  private readonly progress = new ProgressPrinter();
  private readonly folder: RunFolder;

  private constructor(
    private readonly options: ClusterOptions,
    private results: Results,
  ) {
    this.folder = new RunFolder(options.runDir);
  }

  static async start(options: ClusterOptions): Promise<ClusterRun> {
    if (options.isContinued) {
      const run = new ClusterRun(options, new RunFolder(options.runDir).read());
      if (options.rows.includes('upgrade')) await run.prepareUpgrade();
      return run;
    }
    if ((await kubectl(['get', 'namespace', 'payment-gateway', '--ignore-not-found', '-o', 'name'])) !== '') {
      throw new Error('The cluster has a namespace payment-gateway already: name an empty cluster with KUBECONFIG.');
    }
    const run = new ClusterRun(options, emptyResults('', await machineOf()));
    await run.install();
    return run;
  }

  async playRows(): Promise<void> {
    const { rows } = this.options;
    for (const row of rows) {
      if (row === 'network') await this.tryNetwork();
      if (row === 'overlays') this.keep({ overlays: await overlayRows() });
      if (row === 'audit') this.keep({ audit: await auditPayments() });
      if (isLoadRow(row)) await this.playUnderLoad(row);
    }
  }

  /** Prints the tables and returns the exit code. */
  report(): number {
    console.log(`\n${this.results.machine}`);
    for (const table of Object.values(tablesOf(this.results))) console.log(`\n${table}`);
    return hasProblems(this.results) ? 1 : 0;
  }

  /** The previous release is already running, and this checkout is the next one. */
  private async prepareUpgrade(): Promise<void> {
    const { progress, options } = this;
    const { current } = await progress.step('The image is built', () => prepareReleases(options));
    await progress.step('The nodes have the image', () => loadImages(options.loadImage, [current.image]));
    this.keep({ image: current.image });
  }

  private async install(): Promise<void> {
    const { progress, options } = this;
    const { current, before, forget } = await progress.step('The images are built', () => prepareReleases(options));
    try {
      const images = [...new Set([before?.image ?? current.image, current.image])];
      await progress.step('The nodes have the images', () =>
        loadImages(options.loadImage, [...images, ...SERVER_IMAGES]),
      );
      await install(before ?? current, progress);
      const seed = await progress.step('Two merchants are created', seedCluster);
      this.results = { ...this.results, image: current.image, readyTogether: readyTimes(await readPods()) };
      this.folder.create(JSON.parse(seed), this.results);
      await this.playPayment();
    } finally {
      await forget();
    }
  }

  private async playPayment(): Promise<void> {
    const args = ['--base-url', await edgeAddress(), '--seed', this.folder.seedFile];
    const played = await runBundle(
      join(ROOT, 'dist', 'tools', 'play.js'),
      [...args, '--shop-host', this.options.shopHost],
      machineEnvironment(process.env),
    );
    console.log(played.trimEnd());
  }

  private async tryNetwork(): Promise<void> {
    const outside = await openOutsideServers(this.options.shopHost);
    const closed = MAIL_PORTS.filter((port) => !outside.mailPorts.includes(port));
    if (closed.length > 0) this.progress.say(`Not tried: this user cannot open port ${closed.join(' or ')} of mail`);
    try {
      this.keep({ network: await networkRows(await podAddresses(), outside) });
    } finally {
      await outside.close();
    }
  }

  private async playUnderLoad(name: LoadRowName): Promise<void> {
    const { progress, options } = this;
    if (name === 'load') await progress.step('Memory at rest is measured', () => this.measureRest());
    const { title } = ROWS[name];
    const { before, after } = LOAD_ROWS[name];
    const { merchants } = JSON.parse(readFileSync(this.folder.seedFile, 'utf8')) as Pick<Seed, 'merchants'>;
    const merchant = merchants[0]?.sandbox;
    if (merchant === undefined) throw new Error('The seed of this installation names no merchant.');
    await (before ?? oneReplicaEach)();
    const load = await PaymentLoad.open({ baseUrl: await edgeAddress(), merchant, shopHost: options.shopHost });
    try {
      const row = await this.rowUnderLoad(load, name).catch(
        // The load itself failed. The row counts as failed, and later rows still run.
        (error: unknown): LoadRowResult => ({
          ...NOT_CARRIED_THROUGH,
          rate: options.rate,
          problems: [messageOf(error)],
        }),
      );
      this.keepRow(name, row);
      progress.say(`${title}: ${row.problems.length === 0 ? 'holds' : row.problems.join('; ')}`);
    } finally {
      await load.close();
      await after?.();
    }
  }

  private async rowUnderLoad(load: PaymentLoad, name: LoadRowName): Promise<LoadRowResult> {
    const { rate } = this.options;
    const current = { root: ROOT, image: this.results.image };
    load.begin(rate);
    await load.played(rate * 3);
    const seen = await LOAD_ROWS[name].play({ load, rate, current, keep: this.keep.bind(this) }).then(
      (done) => ({ done, problems: [] }),
      (error: unknown) => ({ ...NOT_CARRIED_THROUGH, problems: [messageOf(error)] }),
    );
    await load.played(rate * 2);
    const figures = await load.end();
    return { ...seen, rate, figures, problems: [...seen.problems, ...problemsOf(figures, ROWS[name])] };
  }

  /** metrics-server must know every pod first. */
  private async measureRest(): Promise<void> {
    const apps = new Set((await readPods()).map(({ app }) => app));
    const isKnown = async () => {
      const memory = await readMemory();
      if (![...apps].every((app) => app in memory)) return false;
      this.keep({ memoryAtRest: memory });
      return true;
    };
    await until(isKnown, 'metrics-server reports the memory of every pod', 90_000).catch((error: unknown) => {
      this.progress.say(messageOf(error));
    });
  }

  private keepRow(name: LoadRowName, row: LoadRowResult): void {
    this.keep({ rows: { ...this.results.rows, [name]: row } });
  }

  private keep(more: Partial<Results>): void {
    this.results = { ...this.results, ...more };
    this.folder.write(this.results);
  }
}

async function edgeAddress(): Promise<string> {
  return `http://${await nodeAddress()}:${EDGE_PORT}`;
}

async function cluster(): Promise<number> {
  const options = parseClusterOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if ((await kubectl(['version', '-o', 'json']).catch(() => undefined)) === undefined) {
    console.log('Nothing was checked: no cluster answers at KUBECONFIG, or kubectl is not installed.');
    return 2;
  }
  const run = await ClusterRun.start(options);
  await run.playRows();
  return run.report();
}

void endWith(cluster);
