import { randomUUID } from 'node:crypto';
import { SERVICES } from '@pay/contracts';
import { eventually } from '@pay/testing';
import { leftOver } from '../left-over';
import { RawApi } from '../raw-api';
import type { OwnSystem } from './own-system';
import { secondsBetween, type DrillOptions, type Report } from './report';
import { Rollout, type SettingsByService } from './rollout';
import { PHASES, rotationsOf, type Rotation } from './rotations';
import { ENDPOINT_SECRET, TimedLoad } from './timed-load';

const PATIENCE_MS = 120_000;

/** Rotates each kind of secret on the running system. No request may fail, and no payment may be lost or duplicated. */
export async function playRotation(system: OwnSystem, options: DrillOptions): Promise<void> {
  const { report } = options;
  const rollout = await Rollout.takeOver(system.runFolder);
  const load = await TimedLoad.begin(system.description, { repeats: false });
  const person = await DashboardUser.signIn(system);
  try {
    const rotations = rotationsOf(system, (service) => rollout.settingsOf(service));
    // The short form rotates all kinds together in three deployments, the other one after another.
    for (const together of options.isShort ? [rotations] : rotations.map((each) => [each])) {
      await rotate({ rollout, load, person, ...options }, together);
    }
    await endpointSecret(load, options);
    await load.end();
    report.say(`${rollout.replaced} processes were replaced`);
    await nothingIsLost(system, load, person, report);
    await everySecretIsNew(system, rollout, report);
    await allIsWell(rollout, report);
  } finally {
    await person.close();
    await load.close();
    await rollout.end();
  }
}

interface Rotating extends DrillOptions {
  readonly rollout: Rollout;
  readonly load: TimedLoad;
  readonly person: DashboardUser;
}

async function rotate(
  { rollout, load, person, report, payments }: Rotating,
  rotations: readonly Rotation[],
): Promise<void> {
  const started = Date.now();
  const failed = load.failedRequests + person.failedRequests;
  for (const phase of PHASES) {
    const steps = rotations.flatMap(({ steps: { [phase]: step } }) => (step === undefined ? [] : [step]));
    if (steps.length === 0) continue;
    for (const { before } of steps) await before?.();
    await rollout.deploy(merged(steps.map(({ settings }) => settings)));
    for (const { after } of steps) await after?.();
    // Tokens of the old session secret are valid for 15 minutes. The dashboard refreshes them earlier, when they are
    // refused.
    if (phase === 'use') await person.refresh();
    await load.played(payments);
  }
  const failures = load.failedRequests + person.failedRequests - failed;
  const names = rotations.map(({ name }) => name).join(', ');
  report.say(`${names}: ${secondsBetween(started, Date.now())}, ${failures} failed requests`);
}

function merged(all: readonly SettingsByService[]): SettingsByService {
  const result: Record<string, Record<string, string>> = {};
  for (const settings of all)
    for (const [service, own] of Object.entries(settings)) result[service] = { ...result[service], ...own };
  return result;
}

/** The merchant rotates with an overlap: both secrets sign. */
async function endpointSecret(load: TimedLoad, { report, payments }: DrillOptions): Promise<void> {
  const before = load.receiver.received.length;
  const id = load.endpointId;
  const headers = { 'x-api-key': load.access.apiKey };
  const post = (action: string, body: unknown) =>
    load.api.call('POST', `/v1/webhooks/endpoints/${id}/${action}`, headers, body);
  const next = `${ENDPOINT_SECRET}-next`;
  const rotated = await post('rotate-secret', { secret: next, overlapSeconds: 3_600 });
  await load.played(payments);
  load.receiver.accept(next);
  const finished = await post('rotate-secret/finish', {});
  await load.played(payments);
  const received = load.receiver.received.slice(before);
  const wrong = received.filter(({ isGenuine }) => !isGenuine).length;
  if (rotated.status !== 200 || finished.status !== 200) {
    report.problem(`rotating the endpoint's secret returned ${rotated.status} and ${finished.status}`);
  }
  report.expect(`Secret of the endpoint: of ${received.length} webhooks those with a wrong signature`, wrong, 0);
}

async function nothingIsLost(system: OwnSystem, load: TimedLoad, person: DashboardUser, report: Report): Promise<void> {
  const { accepted } = load;
  await Promise.all(
    accepted.map(({ intent }) =>
      load.receiver.next('payment.paid', intent?.id ?? '', PATIENCE_MS).catch(() => undefined),
    ),
  );
  report.say(
    `${accepted.length} payments, ${load.requests} requests of shop and phone, ${person.requests} of the dashboard`,
  );
  report.expect('Failed requests', load.failedRequests + person.failedRequests, 0);
  if (load.lastFailure || person.lastFailure) report.say(`The last one: ${load.lastFailure || person.lastFailure}`);
  const statuses = await Promise.all(accepted.map((payment) => load.statusOf(payment)));
  report.expect('Payments that are PAID', statuses.filter((status) => status === 'PAID').length, accepted.length);
  const deliveredOnce = accepted.filter((payment) => load.webhooksOf(payment) === 1).length;
  report.expect('Payments with one webhook', deliveredOnce, accepted.length);
  const forged = load.receiver.received.filter(({ isGenuine }) => !isGenuine).length;
  report.expect('Webhooks with a wrong signature', forged, 0);
  await eventually(async () => (await leftOver(system.description)).length === 0, 'nothing is left over', {
    timeoutMs: PATIENCE_MS,
  });
  report.say('Every outbox and every queue is empty, parked queues included');
}

/**
 * Every service exports the names of its secrets. A secret that no rotation has changed is missing here and in the
 * documentation.
 */
async function everySecretIsNew(system: OwnSystem, rollout: Rollout, report: Report): Promise<void> {
  const forgotten: string[] = [];
  for (const service of SERVICES) {
    const url = `${system.description.services[service]?.privateUrl ?? ''}/metrics`;
    const text = await (await fetch(url)).text();
    const names = [...text.matchAll(/^secret_rotated_timestamp_seconds\{.*setting="(\w+)"/gm)].map(
      ([, name = '']) => name,
    );
    if (names.length === 0) report.problem(`${service} exports no names of secrets`);
    const { before, now } = rollout.changesOf(service);
    forgotten.push(...names.filter((name) => now[name] === before[name]).map((name) => `${service}: ${name}`));
  }
  if (forgotten.length === 0) report.say('Every secret that the services export by name is a new one');
  else report.problem(`not rotated: ${forgotten.join(', ')}`);
}

async function allIsWell(rollout: Rollout, report: Report): Promise<void> {
  for (const [service, command] of [
    ['reconciler', 'verify-decisions'],
    ['dashboard-api', 'audit-payments'],
  ] as const) {
    const { code, output } = await rollout.command(service, [command]);
    if (code === 0) report.say(`${command} with the new secrets: no problems`);
    else report.problem(`${command}: ${output}`);
  }
}

/** Reads the dashboard continuously: requests with a session that need other services. */
class DashboardUser {
  requests = 0;
  failedRequests = 0;
  lastFailure = '';
  private isEnding = false;
  private readonly reading: Promise<void>;

  private constructor(
    private readonly api: RawApi,
    private readonly account: { readonly email: string; readonly password: string },
    private token: string,
  ) {
    this.reading = this.read();
  }

  static async signIn(system: OwnSystem): Promise<DashboardUser> {
    const { baseUrl, merchants } = system.description;
    const api = new RawApi(baseUrl);
    const account = (merchants[0] as unknown as { owner: { email: string; password: string } }).owner;
    return new DashboardUser(api, account, await api.signIn(account.email, account.password));
  }

  async refresh(): Promise<void> {
    this.token = await this.api.signIn(this.account.email, this.account.password);
  }

  async close(): Promise<void> {
    this.isEnding = true;
    await this.reading;
    await this.api.close();
  }

  /** reconciler serves the second page, sms-ingest the third. */
  private async read(): Promise<void> {
    const paths = ['merchant', 'exceptions?environment=SANDBOX', 'missing-sms?environment=SANDBOX', 'devices'];
    while (!this.isEnding) {
      for (const path of paths) {
        this.requests += 1;
        const headers = { authorization: `Bearer ${this.token}`, 'x-request-id': randomUUID() };
        const answer = await this.api
          .send({ method: 'GET', path: `/v1/dashboard/${path}`, headers })
          .catch((error: unknown) => ({ status: 0, text: String(error) }));
        if (answer.status === 200) continue;
        this.failedRequests += 1;
        this.lastFailure = `${path}: ${answer.status} ${answer.text}`;
      }
      await new Promise((next) => setTimeout(next, 100));
    }
  }
}
