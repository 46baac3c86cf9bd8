import { pollUntil } from '@pay/runtime';
import { kubectl, kubectlJson, NAMESPACE } from './kubectl';

export interface Pod {
  readonly name: string;
  /** Label `app.kubernetes.io/name`. */
  readonly app: string;
  readonly address: string | undefined;
  readonly phase: string;
  readonly isReady: boolean;
  readonly isEnding: boolean;
  readonly restarts: number;
  /** Time from the start of the container to readiness. The API server reports whole seconds. */
  readonly readyAfterSeconds: number | undefined;
}

export interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { type: string; status: string; lastTransitionTime: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly running?: { readonly startedAt: string } };
    }[];
  };
}

export function podOf({ metadata, status }: PodObject): Pod {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True';
  const [container] = status.containerStatuses ?? [];
  const startedAt = container?.state.running?.startedAt;
  return {
    name: metadata.name,
    app: metadata.labels?.['app.kubernetes.io/name'] ?? '',
    address: status.podIP,
    phase: status.phase,
    isReady,
    isEnding: metadata.deletionTimestamp !== undefined,
    restarts: container?.restartCount ?? 0,
    readyAfterSeconds:
      isReady && startedAt !== undefined
        ? (Date.parse(ready.lastTransitionTime) - Date.parse(startedAt)) / 1_000
        : undefined,
  };
}

/** Default: pods of the six services. */
export async function readPods(component = 'service'): Promise<Pod[]> {
  const selector = `app.kubernetes.io/component=${component}`;
  const { items } = await kubectlJson<{ items: PodObject[] }>(['-n', NAMESPACE, 'get', 'pods', '-l', selector]);
  return items.map(podOf);
}

/** Seconds to readiness, for one pod per service. */
export function readyTimes(pods: readonly Pod[]): Record<string, number> {
  return Object.fromEntries(
    pods.flatMap(({ app, readyAfterSeconds }) => (readyAfterSeconds === undefined ? [] : [[app, readyAfterSeconds]])),
  );
}

/** Polls twice a second until the condition holds. Throws after the timeout. */
export async function until(isTrue: () => Promise<boolean>, sentence: string, timeoutMs = 300_000): Promise<void> {
  if (!(await pollUntil(isTrue, Boolean, { everyMs: 500, withinMs: timeoutMs })))
    throw new Error(`Not within ${timeoutMs / 1_000} s: ${sentence}`);
}

/** Waits until the pods of the service, or of all services, have this number and are ready, and none is terminating. */
export async function settled(replicas: number, service?: string): Promise<void> {
  await until(
    async () => {
      const pods = (await readPods()).filter(({ app }) => service === undefined || app === service);
      const services = new Set(pods.map(({ app }) => app)).size;
      return pods.length === replicas * services && pods.every(({ isReady, isEnding }) => isReady && !isEnding);
    },
    `${service ?? 'every service'} has ${replicas} ready pods and no other`,
  );
}

export async function scale(services: readonly string[], replicas: number): Promise<void> {
  await kubectl(['-n', NAMESPACE, 'scale', `--replicas=${replicas}`, ...services.map((name) => `deployment/${name}`)]);
}

interface PodMetrics {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly containers: readonly { readonly usage: { readonly memory: string } }[];
}

/** Memory in MiB of the largest pod per service and server, from metrics-server. Empty if it has no data. */
export async function readMemory(): Promise<Record<string, number>> {
  const most: Record<string, number> = {};
  for (const namespace of [NAMESPACE, `${NAMESPACE}-data`]) {
    const answer = await kubectl(['get', '--raw', `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`]).catch(
      () => '{"items":[]}',
    );
    for (const { metadata, containers } of (JSON.parse(answer) as { items: PodMetrics[] }).items) {
      const app = metadata.labels?.['app.kubernetes.io/name'];
      if (app === undefined) continue;
      const memory = containers.reduce((sum, { usage }) => sum + mebibytes(usage.memory), 0);
      most[app] = Math.max(most[app] ?? 0, Math.round(memory));
    }
  }
  return most;
}

/** Examples: `92160Ki`, `90Mi`, or a number of bytes. */
export function mebibytes(quantity: string): number {
  const [, count = '', unit = ''] = /^(\d+)(Ki|Mi|Gi)?$/.exec(quantity) ?? [];
  if (count === '') throw new Error(`${quantity} is not a quantity of memory in Ki, Mi, Gi or bytes.`);
  const perMebibyte = { Ki: 1_024, Mi: 1, Gi: 1 / 1_024, '': 1_048_576 }[unit] ?? 1;
  return Number(count) / perMebibyte;
}
