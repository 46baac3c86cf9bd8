import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { brokerObjects, type KubernetesObject } from './broker-objects';

const COMPONENTS = join('deploy', 'k8s', 'components');
const COMMENT = '# Made by `node tools/manifests.mjs`; a test compares.\n';

/** Generated files of deploy/k8s by their path below the root. */
export function generatedFiles(root: string): ReadonlyMap<string, string> {
  return new Map([
    [join(COMPONENTS, 'operators', 'rabbitmq-accounts.yaml'), textOf(brokerObjects())],
    [join(COMPONENTS, 'observability', 'rules.yaml'), textOf(prometheusRules(root))],
  ]);
}

function prometheusRules(root: string): KubernetesObject[] {
  const folder = join(root, 'deploy', 'observability', 'rules');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: basename(file, '.yaml'), namespace: 'payment-gateway' },
      spec: parse(readFileSync(join(folder, file), 'utf8')) as object,
    }));
}

function textOf(objects: readonly KubernetesObject[]): string {
  return COMMENT + objects.map((each) => stringify(each, { lineWidth: 0, singleQuote: true })).join('---\n');
}
