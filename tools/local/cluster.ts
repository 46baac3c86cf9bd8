/**
 * `npm run cluster`: the whole system on the cluster that KUBECONFIG names, from empty to a played payment, and then what must hold there, one
 * row each. Exit code 0: all of it holds; 1: it does not; 2: there is no cluster.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './arguments';
import { install, seedCluster } from './cluster/install';
import { kubectl } from './cluster/kubectl';
import { networkRows, podAddresses } from './cluster/network-rows';
import { messageOf } from './message-of';
import { Narrator } from './narrator';
import { runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

const USAGE = `npm run cluster -- --image IMAGE [--load-image COMMAND] [--shop-host ADDRESS]
  --image IMAGE         image of the services, as npm run images has named it
  --load-image COMMAND  gives the nodes an image of the local Docker engine; its last argument is the name of the image.
                        Without it the nodes must have payment-gateway:dev, postgres:17 and rabbitmq:4-management
  --shop-host ADDRESS   address of this machine at which pods reach the shop's server, default 10.213.0.1
Environment: KUBECONFIG. The cluster must have no namespace payment-gateway: nothing that exists is touched.
`;
const EDGE_PORT = 30_080;

async function cluster(): Promise<number> {
  const { values } = parseArgs({
    options: {
      image: { type: 'string' },
      'load-image': { type: 'string' },
      'shop-host': { type: 'string', default: '10.213.0.1' },
    },
  });
  if (values.image === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const version = await kubectl(['version', '-o', 'json']).catch(() => undefined);
  if (version === undefined) {
    console.log('Nothing was checked: no cluster answers at KUBECONFIG, or kubectl is not installed.');
    return 2;
  }
  if ((await kubectl(['get', 'namespace', 'payment-gateway', '--ignore-not-found', '-o', 'name'])) !== '') {
    throw new Error('The cluster has a namespace payment-gateway already: name an empty cluster with KUBECONFIG.');
  }
  const narrator = new Narrator();
  const serverImages = ['postgres:17', 'rabbitmq:4-management'];
  await install({ image: values.image, serverImages, loadImage: values['load-image'] }, narrator);
  const seed = await narrator.step('Two merchants are made', seedCluster);
  await play(seed, values['shop-host']);
  const rows = await networkRows(await podAddresses());
  console.log('');
  for (const { name, isGood, seen } of rows) console.log(`| ${isGood ? 'yes' : 'NO'} | ${name} | ${seen} |`);
  return rows.every(({ isGood }) => isGood) ? 0 : 1;
}

async function play(seed: string, shopHost: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  try {
    const seedFile = join(folder, 'seed.json');
    writeFileSync(seedFile, seed, { mode: 0o600 });
    const address = `http://${await nodeAddress()}:${EDGE_PORT}`;
    const args = ['--base-url', address, '--seed', seedFile, '--shop-host', shopHost];
    const played = await runBundle(join(ROOT, 'dist', 'tools', 'play.js'), args, machineEnvironment(process.env));
    console.log(played.trimEnd());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function nodeAddress(): Promise<string> {
  const path = '{.items[0].status.addresses[?(@.type=="InternalIP")].address}';
  return (await kubectl(['get', 'nodes', '-o', `jsonpath=${path}`])).trim();
}

cluster().then(
  (exitCode) => (process.exitCode = exitCode),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
