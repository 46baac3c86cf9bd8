import { containersOf, type Manifest } from './render';

export interface Policy {
  /** The policy as a sentence about the manifests of an overlay. */
  readonly states: string;
  /** Objects that violate the policy. */
  readonly violations: (manifests: readonly Manifest[]) => string[];
  /** Modifies the manifests so that they violate the policy, for a test. */
  readonly breakIn: (manifests: Manifest[]) => void;
}

export function ofKind(manifests: readonly Manifest[], ...kinds: string[]): Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

export function find(manifests: readonly Manifest[], kind: string, name: string): any {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

const workloads = (manifests: readonly Manifest[]) => ofKind(manifests, 'Deployment', 'StatefulSet', 'Job');
const servers = (manifests: readonly Manifest[]) => ofKind(manifests, 'Deployment', 'StatefulSet');
const podOf = (manifest: Manifest): any => manifest['spec'].template.spec;
const intentApi = (manifests: readonly Manifest[]): any => find(manifests, 'Deployment', 'intent-api');

function everyWorkload(holds: (pod: any, manifest: Manifest) => boolean) {
  return (manifests: readonly Manifest[]) =>
    workloads(manifests)
      .filter((manifest) => !holds(podOf(manifest), manifest))
      .map(titleOf);
}

function everyServer(holds: (pod: any, manifest: any) => boolean) {
  return (manifests: readonly Manifest[]) =>
    servers(manifests)
      .filter((manifest) => !holds(podOf(manifest), manifest))
      .map(titleOf);
}

function everyContainer(holds: (container: any) => boolean) {
  return (manifests: readonly Manifest[]) =>
    workloads(manifests).flatMap((manifest) =>
      containersOf(manifest)
        .filter((container) => !holds(container))
        .map((container) => `${titleOf(manifest)}, container ${container.name}`),
    );
}

/** Example: "384Mi", "1Gi" */
export function mebibytes(quantity: string): number {
  const [, count = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (count === '') throw new Error(`${quantity} is not a number of Mi or Gi`);
  return Number(count) * (unit === 'Gi' ? 1_024 : 1);
}

/** Megabytes of a Node.js process outside its heap: code, sockets, TLS. */
const OUTSIDE_HEAP = 65;
/** Default of --max-semi-space-size in V8, which uses three of them. */
const DEFAULT_SEMI_SPACE = 16;

/** Maximum memory of a Node.js process: both generations of the heap, and memory outside it. */
function mostMemoryOf(container: any): number {
  const options = container.env?.find(({ name }: { name: string }) => name === 'NODE_OPTIONS')?.value ?? '';
  const megabytes = (flag: string, fallback: number) =>
    Number(new RegExp(`--${flag}=(\\d+)`).exec(options)?.[1] ?? fallback);
  return (
    megabytes('max-old-space-size', Infinity) + 3 * megabytes('max-semi-space-size', DEFAULT_SEMI_SPACE) + OUTSIDE_HEAP
  );
}

export const POD_POLICIES: readonly Policy[] = [
  {
    states: 'runs every pod as user 10001 without root, with the seccomp profile of the runtime',
    violations: everyWorkload(
      ({ securityContext: context }) =>
        context?.runAsNonRoot === true &&
        context.runAsUser === 10_001 &&
        context.runAsGroup === 10_001 &&
        context.seccompProfile?.type === 'RuntimeDefault',
    ),
    breakIn: (manifests) => delete podOf(intentApi(manifests)).securityContext.seccompProfile,
  },
  {
    states: 'gives every pod its own service account without a token, and no variables of Services',
    violations: everyWorkload(
      (pod) =>
        pod.serviceAccountName !== undefined &&
        pod.automountServiceAccountToken === false &&
        pod.enableServiceLinks === false,
    ),
    breakIn: (manifests) => delete podOf(intentApi(manifests)).automountServiceAccountToken,
  },
  {
    states: 'has every service account that a pod names, without a token',
    violations: (manifests) =>
      workloads(manifests)
        .filter((manifest) => {
          const { serviceAccountName } = podOf(manifest);
          const { namespace } = manifest.metadata;
          return !ofKind(manifests, 'ServiceAccount').some(
            (account) =>
              account.metadata.name === serviceAccountName &&
              account.metadata.namespace === namespace &&
              account['automountServiceAccountToken'] === false,
          );
        })
        .map(titleOf),
    breakIn: (manifests) => (podOf(intentApi(manifests)).serviceAccountName = 'reconcilers'),
  },
  {
    states: 'lets no container gain privileges, write to its root or keep a capability',
    violations: everyContainer(
      ({ securityContext: context }) =>
        context?.allowPrivilegeEscalation === false &&
        context.readOnlyRootFilesystem === true &&
        context.capabilities?.drop?.includes('ALL') === true &&
        context.capabilities.add === undefined,
    ),
    breakIn: (manifests) => (podOf(intentApi(manifests)).containers[0].securityContext.capabilities.add = ['NET_RAW']),
  },
  {
    states: 'bounds every emptyDir',
    violations: everyWorkload(({ volumes = [] }) =>
      volumes.every((volume: any) => volume.emptyDir === undefined || volume.emptyDir.sizeLimit !== undefined),
    ),
    breakIn: (manifests) =>
      (podOf(intentApi(manifests)).volumes.find((volume: any) => volume.name === 'tmp').emptyDir = {}),
  },
  {
    states: 'requests processor time and memory, limits memory, and never limits processor time',
    violations: everyContainer(
      ({ resources }) =>
        resources?.requests?.cpu !== undefined &&
        resources.requests.memory !== undefined &&
        resources.limits?.memory !== undefined &&
        resources.limits.cpu === undefined &&
        mebibytes(resources.limits.memory) <= 2 * mebibytes(resources.requests.memory),
    ),
    breakIn: (manifests) => (podOf(intentApi(manifests)).containers[0].resources.limits.cpu = '1'),
  },
  {
    states: 'bounds the heap of Node.js so that it fits into the memory limit',
    violations: everyContainer(
      (container) =>
        !/(?:^|\/)payment-gateway[:@]/.test(container.image) ||
        mostMemoryOf(container) <= mebibytes(container.resources.limits.memory),
    ),
    breakIn: (manifests) => (podOf(intentApi(manifests)).containers[0].resources.limits.memory = '384Mi'),
  },
  {
    states: 'has three probes of every server',
    violations: everyServer(({ containers }) =>
      containers.every((each: any) => each.startupProbe && each.livenessProbe && each.readinessProbe),
    ),
    breakIn: (manifests) => delete podOf(intentApi(manifests)).containers[0].startupProbe,
  },
  {
    states: 'never uses the readiness of a service as its liveness, and probes its private port',
    violations: everyServer(({ containers: [{ livenessProbe, readinessProbe, startupProbe }] }, { metadata }) => {
      if (metadata.labels['app.kubernetes.io/component'] !== 'service') return true;
      const probes = [startupProbe, livenessProbe, readinessProbe];
      return (
        probes.every(({ httpGet }) => httpGet?.port === 'private') &&
        [startupProbe, livenessProbe].every(({ httpGet }) => httpGet.path === '/livez') &&
        readinessProbe.httpGet.path === '/readyz'
      );
    }),
    breakIn: (manifests) => (podOf(intentApi(manifests)).containers[0].livenessProbe.httpGet.path = '/readyz'),
  },
  {
    states: 'replaces pods one by one, none before its successor is ready',
    violations: (manifests) =>
      ofKind(manifests, 'Deployment')
        .filter(({ spec }: any) => {
          const { maxUnavailable, maxSurge } = spec.strategy?.rollingUpdate ?? {};
          const hasBounds =
            spec.minReadySeconds > 0 && spec.revisionHistoryLimit === 5 && spec.progressDeadlineSeconds > 0;
          return maxUnavailable !== 0 || maxSurge !== 1 || !hasBounds;
        })
        .map(titleOf),
    breakIn: (manifests) => (intentApi(manifests).spec.strategy.rollingUpdate.maxUnavailable = 1),
  },
  {
    states: 'has a disruption budget of every server that blocks no drain',
    violations: (manifests) =>
      servers(manifests)
        .filter(
          (manifest: any) =>
            !ofKind(manifests, 'PodDisruptionBudget').some(
              ({ metadata, spec }: any) =>
                metadata.namespace === manifest.metadata.namespace &&
                spec.maxUnavailable === 1 &&
                spec.minAvailable === undefined &&
                spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
                spec.selector.matchLabels['app.kubernetes.io/name'] ===
                  manifest.spec.template.metadata.labels['app.kubernetes.io/name'],
            ),
        )
        .map(titleOf),
    breakIn: (manifests) => (find(manifests, 'PodDisruptionBudget', 'intent-api').spec = { minAvailable: 1 }),
  },
  {
    states: 'spreads the replicas of a service over zones and nodes',
    violations: (manifests) =>
      ofKind(manifests, 'Deployment')
        .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'service')
        .filter((manifest) => {
          const keys = (podOf(manifest).topologySpreadConstraints ?? []).map(({ topologyKey }: any) => topologyKey);
          return !['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].every((key) => keys.includes(key));
        })
        .map(titleOf),
    breakIn: (manifests) => podOf(intentApi(manifests)).topologySpreadConstraints.pop(),
  },
  {
    states: 'selects pods by their name alone',
    violations: (manifests) =>
      servers(manifests)
        .filter(({ spec }: any) => Object.keys(spec.selector.matchLabels).join() !== 'app.kubernetes.io/name')
        .map(titleOf),
    breakIn: (manifests) => (intentApi(manifests).spec.selector.matchLabels['app.kubernetes.io/version'] = '1'),
  },
  {
    states: 'names a version of every image and pulls it once',
    violations: everyContainer(
      ({ image, imagePullPolicy }) =>
        /(?::(?!latest$)[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image) && imagePullPolicy === 'IfNotPresent',
    ),
    breakIn: (manifests) => (podOf(intentApi(manifests)).containers[0].image = 'payment-gateway:latest'),
  },
  {
    states: 'runs nothing before the container of a service: migrations are a Job',
    violations: (manifests) =>
      ofKind(manifests, 'Deployment')
        .filter((manifest) => podOf(manifest).initContainers !== undefined)
        .map(titleOf),
    breakIn: (manifests) => (podOf(intentApi(manifests)).initContainers = []),
  },
  {
    states: 'has every port that a Service, a probe or a PodMonitor names',
    violations: (manifests) => [
      ...ofKind(manifests, 'Service')
        .filter(
          ({ metadata, spec }: any) =>
            !servers(manifests).some((server: any) => {
              const names = containersOf(server).flatMap(({ ports = [] }) => ports.map(({ name }: any) => name));
              return (
                server.metadata.namespace === metadata.namespace &&
                server.spec.template.metadata.labels['app.kubernetes.io/name'] ===
                  spec.selector['app.kubernetes.io/name'] &&
                spec.ports.every(({ targetPort }: any) => names.includes(targetPort))
              );
            }),
        )
        .map(titleOf),
      ...everyServer(({ containers }) =>
        containers.every(({ ports, startupProbe, livenessProbe, readinessProbe }: any) =>
          [startupProbe, livenessProbe, readinessProbe].every((probe) => {
            const port = (probe?.httpGet ?? probe?.tcpSocket)?.port;
            return port === undefined || ports.some(({ name }: any) => name === port);
          }),
        ),
      )(manifests),
    ],
    breakIn: (manifests) => (find(manifests, 'Service', 'intent-api').spec.ports[0].targetPort = 'https'),
  },
];
