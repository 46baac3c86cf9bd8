import { SERVICES } from '@pay/contracts';
import { resultOf } from '@pay/local-servers';
import { kubectl, kubectlJson, NAMESPACE } from './kubectl';
import { readPods, settled, until } from './pods';

/**
 * Drains the node of all services. On a single node the replacements wait until it is uncordoned, so the budgets must
 * refuse to evict the second pod of each service.
 */
export async function drain(): Promise<string> {
  const before = await readPods();
  const node = await nodeOf(before[0]?.name ?? '');
  const isOnly = (await kubectlJson<{ items: unknown[] }>(['get', 'nodes'])).items.length === 1;
  let printed = '';
  const draining = resultOf(
    'kubectl',
    [
      ...['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=5m'],
      '--pod-selector=app.kubernetes.io/component=service',
    ],
    { onText: (text) => void (printed += text) },
  );
  try {
    if (isOnly) {
      await until(async () => {
        const pods = await readPods();
        const isEvicted = SERVICES.every((service) =>
          pods.some(({ app, phase }) => app === service && phase === 'Pending'),
        );
        return isEvicted && pods.every(({ isEnding }) => !isEnding) && countRefusals(printed) >= SERVICES.length;
      }, 'one pod of each service is evicted, and the budgets refuse the other');
      const serving = (await readPods()).filter(({ isReady }) => isReady).length;
      if (serving !== SERVICES.length) throw new Error(`${serving} pods serve while the node is drained.`);
      await kubectl(['uncordon', node]);
    }
    const { code, stderr } = await draining;
    if (code !== 0) throw new Error(`kubectl drain ended with code ${code}: ${stderr.trim().split('\n').at(-1)}`);
  } finally {
    await kubectl(['uncordon', node]);
  }
  await settled(2);
  const names = new Set(before.map(({ name }) => name));
  const left = (await readPods()).filter(({ name }) => names.has(name)).length;
  if (left > 0) throw new Error(`${left} pods were not evicted.`);
  const refusals = countRefusals(printed);
  return isOnly
    ? `${before.length} pods evicted; ${refusals} refusals of the second pod until replacements could start on the only node`
    : `${before.length} pods evicted from ${node}, ${refusals} refusals of the budgets`;
}

/** Number of evictions that a budget has refused, in the output of kubectl. */
export function countRefusals(text: string): number {
  return text.split("violate the pod's disruption budget").length - 1;
}

async function nodeOf(pod: string): Promise<string> {
  return kubectl(['-n', NAMESPACE, 'get', 'pod', pod, '-o', 'jsonpath={.spec.nodeName}']);
}
