#!/usr/bin/env node
// Runs commands of the runbooks on the local system: `node tools/operate.mjs <service> <action> ...`. In a cluster use
// kubectl, see docs/runbooks/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './bootstrap.mjs';

const USAGE = `node tools/operate.mjs <service> ready
node tools/operate.mjs <service> metrics [part of a name]
node tools/operate.mjs <service> logs [part of a line]    the last 20 lines that contain it
node tools/operate.mjs <service> cli <command> [--option=value ...]
node tools/operate.mjs <service> parked list|replay|discard <queue> [id ...]
node tools/operate.mjs <service> replay status
Environment: RUN_DIR, the folder of the running system (.run)
Example: node tools/operate.mjs reconciler metrics rate_limited`;
const LINES = 20;

const [service, action, ...rest] = process.argv.slice(2);
const runDir = resolve(process.env.RUN_DIR ?? join(ROOT, '.run'));

const actions = {
  async ready() {
    const response = await fetch(`${privateUrl()}/readyz`);
    console.log(`${response.status} ${await response.text()}`);
  },
  async metrics(part = '') {
    const text = await (await fetch(`${privateUrl()}/metrics`)).text();
    for (const line of text.split('\n')) if (!line.startsWith('#') && line.includes(part)) console.log(line);
  },
  logs(part = '') {
    const lines = readFileSync(join(runDir, 'logs', `${service}.log`), 'utf8').split('\n');
    for (const line of lines.filter((each) => each.includes(part)).slice(-LINES)) console.log(line);
  },
  cli: (...args) => run(join('apps', service, 'cli.js'), args),
  parked: (...args) => run(join('tools', 'parked.js'), args),
  replay: (...args) => run(join('tools', 'replay.js'), args),
};

if (service === '--help') {
  console.log(USAGE);
  process.exit(0);
}
if (!existsSync(join(runDir, 'gateway.json')))
  fail('No system is running here. Start one with npm start, or set RUN_DIR.');
const services = Object.keys(gateway().services);
if (!services.includes(service)) fail(`"${service ?? ''}" is no service: ${services.join(', ')}.\n\n${USAGE}`);
if (!Object.hasOwn(actions, action ?? ''))
  fail(`"${action ?? ''}" is no action: ${Object.keys(actions).join(', ')}.\n\n${USAGE}`);
await actions[action](...rest);

function gateway() {
  return JSON.parse(readFileSync(join(runDir, 'gateway.json'), 'utf8'));
}

function privateUrl() {
  return gateway().services[service].privateUrl;
}

/** Runs a program of the image with the environment of the service. */
function run(program, args) {
  const { amqpUrl, amqpNamespace } = gateway();
  const own = JSON.parse(readFileSync(join(runDir, 'environments.json'), 'utf8'))[service];
  const env = program.startsWith('tools') ? { ...own, AMQP_URL: amqpUrl, AMQP_NAMESPACE: amqpNamespace } : own;
  const node = process.env.SERVICE_NODE ?? process.execPath;
  const { status } = spawnSync(node, [join(ROOT, 'dist', program), ...args], { env, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function fail(text) {
  console.error(text);
  process.exit(2);
}
