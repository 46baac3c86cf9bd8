/**
 * `npm run compose:check`: starts deploy/compose with a separate name and secrets, plays a payment, checks that private
 * ports are not reachable, and removes everything. Exit code 0: success; 1: failure; 2: Docker or Compose is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICES } from '@pay/contracts';
import { pollUntil } from '@pay/runtime';
import { ROOT } from './arguments';
import { COMPOSE_HOSTS, composeSecretFiles, writeSecretFiles } from './compose-secrets';
import { composeCommand, composeProgram, type Compose } from './compose-program';
import { endWith } from './end-with';
import { findPort } from './find-port';
import { newInstallationSecrets } from './installation-secrets';
import { messageOf } from './message-of';
import { ProgressPrinter } from './progress-printer';
import { newCertificates } from './private-certificates';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

const PROJECT = 'payment-gateway-check';
/** Address of this machine in the network `outside`. */
const SHOP_HOST = '10.214.3.1';
const READY_TIMEOUT_MS = 240_000;

async function check(): Promise<number> {
  // `tools/compose-check.mjs` describes and checks arguments.
  const { values } = parseArgs({
    options: { image: { type: 'string', default: '' }, keep: { type: 'boolean', default: false } },
  });
  if (spawnSync('docker', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.log('Compose was not checked: no Docker engine answers here.');
    return 2;
  }
  const command = composeCommand();
  if (command === undefined) {
    console.log('Compose was not checked: neither `docker compose` nor `docker-compose` is installed here.');
    return 2;
  }
  const progress = new ProgressPrinter();
  const folder = mkdtempSync(join(tmpdir(), 'compose-check-'));
  const secretsFolder = join(folder, 'secrets');
  const port = await findPort(8443);
  const compose = composeProgram({
    command,
    file: join(ROOT, 'deploy', 'compose', 'compose.yaml'),
    project: PROJECT,
    env: {
      SECRETS_FOLDER: secretsFolder,
      PAYMENT_GATEWAY_IMAGE: values.image,
      EDGE_PORT: String(port),
      PUBLIC_URL: `https://localhost:${port}`,
      // The server of the shop runs on this machine.
      WEBHOOK_SANDBOX_ALLOWED_CIDRS: `${SHOP_HOST}/32`,
      WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION: 'true',
    },
  });
  try {
    makeSecrets(secretsFolder);
    progress.say('New secrets and certificates are created');
    await progress.step('Postgres, RabbitMQ, migrations, six services and the edge are started', () =>
      compose(['up', '--detach', '--quiet-pull']),
    );
    await progress.step('All of them are healthy', () => allHealthy(compose));
    const seed = await runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(process.env));
    const seedFile = join(folder, 'seed.json');
    writeFileSync(seedFile, seed, { mode: 0o600 });
    await progress.step('Two merchants are created', () =>
      compose(['exec', '-T', 'dashboard-api', 'node', '/app/apps/dashboard-api/seed.js', '-'], seed),
    );
    const played = await runBundle(
      join(ROOT, 'dist', 'tools', 'play.js'),
      ['--base-url', `https://localhost:${port}`, '--seed', seedFile, '--shop-host', SHOP_HOST],
      { ...machineEnvironment(process.env), NODE_EXTRA_CA_CERTS: join(secretsFolder, 'private-ca', 'ca.crt') },
    );
    console.log(played.trimEnd());
    const problems = await reachable(compose);
    for (const problem of problems) console.log(`WRONG  ${problem}`);
    progress.say(
      problems.length === 0 ? 'Nothing is reachable that must not be' : 'Something is reachable that must not be',
    );
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    console.log((await compose(['logs', '--tail', '20']).catch(messageOf)).trimEnd());
    throw error;
  } finally {
    if (values.keep)
      console.log(`Still running. Secrets: ${secretsFolder}. End it: docker compose -p ${PROJECT} down --volumes`);
    else {
      await progress.step('Everything is removed', () => compose(['down', '--volumes', '--timeout', '30']));
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function makeSecrets(folder: string): void {
  const secrets = newInstallationSecrets({
    smtpUrl: 'smtp://mail.payment-gateway.invalid:587',
    postgresHost: COMPOSE_HOSTS.postgres[0],
    rabbitmqHost: COMPOSE_HOSTS.rabbitmq[0],
  });
  writeSecretFiles(folder, composeSecretFiles(secrets, newCertificates(COMPOSE_HOSTS)));
}

async function allHealthy(compose: Compose): Promise<void> {
  const timing = { everyMs: 1_000, withinMs: READY_TIMEOUT_MS };
  const waiting = await pollUntil(
    () => unhealthy(compose),
    (names) => names.length === 0,
    timing,
  );
  if (waiting.length > 0) throw new Error(`Not healthy after ${READY_TIMEOUT_MS / 1_000} s: ${waiting.join(', ')}.`);
}

async function unhealthy(compose: Compose): Promise<string[]> {
  const expected = ['postgres', 'rabbitmq', 'edge', ...SERVICES];
  const states = await Promise.all(
    expected.map(async (name) => {
      const id = (await compose(['ps', '--quiet', name])).trim();
      const { stdout } = spawnSync('docker', ['inspect', '--format', '{{.State.Health.Status}}', id], {
        encoding: 'utf8',
      });
      return [name, stdout.trim()] as const;
    }),
  );
  return states.flatMap(([name, state]) => (state === 'healthy' ? [] : [name]));
}

/** Tries connections that the networks must not allow, from inside the containers. */
async function reachable(compose: Compose): Promise<string[]> {
  const attempts = [
    ['checkout-api', '1.1.1.1', 443],
    ['reconciler', '1.1.1.1', 443],
    ['reconciler', SHOP_HOST, 22],
    ['edge', 'reconciler', 9090],
    ['edge', 'postgres', 5432],
    ['edge', 'rabbitmq', 5671],
  ] as const;
  const outcomes = await Promise.all(
    attempts.map(async ([from, host, port]) => {
      const args = from === 'edge' ? throughBash(host, port) : throughNode(host, port);
      const answer = await compose(['exec', '-T', from, ...args]).then(
        () => 'connected',
        () => 'refused',
      );
      return answer === 'connected' ? [`${from} reaches ${host}:${port}`] : [];
    }),
  );
  return outcomes.flat();
}

function throughNode(host: string, port: number): string[] {
  const script = `require('net').connect({host:'${host}',port:${port},timeout:2000}).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1)).on('timeout',()=>process.exit(1))`;
  return ['node', '-e', script];
}

function throughBash(host: string, port: number): string[] {
  return ['timeout', '2', 'bash', '-c', `</dev/tcp/${host}/${port}`];
}

void endWith(check);
