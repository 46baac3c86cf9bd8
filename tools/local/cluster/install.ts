import { join } from 'node:path';
import { ROOT } from '../arguments';
import type { Narrator } from '../narrator';
import { bundle, runBundle } from '../run-bundle';
import { machineEnvironment } from '../service-environment';
import { kubectl, NAMESPACE, run } from './kubectl';

const K8S = join(ROOT, 'deploy', 'k8s');
const OVERLAY = join(K8S, 'overlays', 'local');
/** Tag of the image in overlays/local. */
const IMAGE_OF_OVERLAY = 'payment-gateway:dev';

export interface InstallOptions {
  readonly image: string;
  readonly serverImages: readonly string[];
  /** Command that gives the nodes an image: its name is the last argument. Without it the nodes fetch or hold the images themselves. */
  readonly loadImage: string | undefined;
}

/** The whole system in an empty cluster, as deploy/k8s/README.md says it to people. */
export async function install({ image, serverImages, loadImage }: InstallOptions, narrator: Narrator): Promise<void> {
  if (loadImage !== undefined) {
    await run('docker', ['tag', image, IMAGE_OF_OVERLAY]);
    await narrator.step('The nodes have the images', async () => {
      for (const each of [IMAGE_OF_OVERLAY, ...serverImages]) await run(loadImage, [each]);
    });
  }
  await narrator.step('Namespaces under Pod Security, and new secrets', async () => {
    await kubectl([
      'apply',
      '-f',
      join(K8S, 'base', 'namespace.yaml'),
      '-f',
      join(OVERLAY, 'servers', 'namespace.yaml'),
    ]);
    const secrets = await runBundle(
      join(ROOT, 'dist', 'tools', 'new-secrets.js'),
      ['cluster'],
      machineEnvironment(process.env),
    );
    await kubectl(['apply', '-f', '-'], secrets);
  });
  await narrator.step('Postgres and RabbitMQ are up, and all migrations are applied', async () => {
    await kubectl(['apply', '-k', OVERLAY, '-l', 'app.kubernetes.io/component!=service']);
    await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=complete', '--timeout=10m', 'job', '--all']);
  });
  await narrator.step('Six services and the edge are rolled out', async () => {
    await kubectl(['apply', '-k', OVERLAY]);
    await kubectl(['-n', NAMESPACE, 'rollout', 'status', 'deployment', '--timeout=10m']);
  });
}

/** Makes the merchants of a new seed in the cluster, and returns the seed. */
export async function seedCluster(): Promise<string> {
  const seed = await runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(process.env));
  const program = ['node', '/app/apps/dashboard-api/seed.js', '-'];
  await kubectl(['-n', NAMESPACE, 'exec', '-i', 'deploy/dashboard-api', '--', ...program], seed);
  return seed;
}
