import { join } from 'node:path';
import { ROOT } from '../arguments';
import type { ProgressPrinter } from '../progress-printer';
import { bundle, runBundle } from '../run-bundle';
import { machineEnvironment } from '../service-environment';
import { kubectl, NAMESPACE } from './kubectl';
import { applyBeforeServices, applyServices, type Release } from './release';

/** Performs the steps of deploy/k8s/README.md on an empty cluster. */
export async function install(release: Release, progress: ProgressPrinter): Promise<void> {
  const k8s = join(release.root, 'deploy', 'k8s');
  await progress.step('Namespaces under Pod Security, and new secrets', async () => {
    const namespaces = [join(k8s, 'base', 'namespace.yaml'), join(k8s, 'overlays/local/servers/namespace.yaml')];
    await kubectl(['apply', ...namespaces.flatMap((file) => ['-f', file])]);
    const program = join(ROOT, 'dist', 'tools', 'new-secrets.js');
    await kubectl(['apply', '-f', '-'], await runBundle(program, ['cluster'], machineEnvironment(process.env)));
  });
  await progress.step('Postgres and RabbitMQ are up, and all migrations are applied', () =>
    applyBeforeServices(release),
  );
  await progress.step('Six services and the edge are rolled out', () => applyServices(release));
}

/** Returns the seed of the new merchants. */
export async function seedCluster(): Promise<string> {
  const seed = await runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(process.env));
  const program = ['node', '/app/apps/dashboard-api/seed.js', '-'];
  await kubectl(['-n', NAMESPACE, 'exec', '-i', 'deploy/dashboard-api', '--', ...program], seed);
  return seed;
}
