import { isDeepStrictEqual } from 'node:util';
import { ENDPOINT_PORTS, SERVICES, type ServiceName } from '@pay/contracts';
import { find, ofKind, titleOf, type Policy } from './pod-policies';
import { MAIL_PORTS } from '../../local/cluster/outside-servers';
import type { Manifest } from './render';

const NAMESPACES = ['payment-gateway', 'payment-gateway-data'];
const CLUSTER_KINDS = ['Namespace'];

const PRIVATE_PORT = 9_090;
const PUBLIC_PORT = 8_080;

/** Derived from the addresses in the settings of each service. */
export function callsOf(manifests: readonly Manifest[], port: number): Record<ServiceName, ServiceName[]> {
  return Object.fromEntries(
    SERVICES.map((service) => {
      const data = Object.values(settingsMapOf(manifests, service)['data'] as Record<string, string>);
      const called = SERVICES.filter((peer) => data.includes(`http://${peer}:${port}`));
      return [service, called.toSorted()];
    }),
  ) as Record<ServiceName, ServiceName[]>;
}

/** The name of the ConfigMap ends with a hash. */
export function settingsMapOf(manifests: readonly Manifest[], name: string): Manifest {
  const found = ofKind(manifests, 'ConfigMap').find(
    ({ metadata }) =>
      metadata.namespace === 'payment-gateway' && new RegExp(`^${name}-[a-z0-9]{10}$`).test(metadata.name),
  );
  if (found === undefined) throw new Error(`there is no ConfigMap ${name}`);
  return found;
}

const NAME = 'app.kubernetes.io/name';
const policyOf = (manifests: readonly Manifest[], name: string): any => find(manifests, 'NetworkPolicy', name);

function podsIn(peers: any[] = []): string[] {
  return peers.map((peer) => peer.podSelector?.matchLabels?.[NAME] ?? '').filter((name) => name !== '');
}

/** Compares the network policy of a service with the calls in the settings, in both directions. */
function isAsSettingsSay(manifests: readonly Manifest[], service: ServiceName, port: number): boolean {
  const calls = callsOf(manifests, port);
  const { egress = [], ingress = [] } = policyOf(manifests, service).spec;
  const onPort = (rules: any[]) => rules.filter(({ ports = [] }) => ports.some((each: any) => each.port === port));
  const callers = SERVICES.filter((other) => calls[other].includes(service));
  const allowed = onPort(egress).flatMap((rule: any) => podsIn(rule.to));
  const admitted = onPort(ingress).flatMap((rule: any) => podsIn(rule.from));
  return (
    allowed.toSorted().join() === calls[service].join() && admitted.toSorted().join() === callers.toSorted().join()
  );
}

export const CLUSTER_POLICIES: readonly Policy[] = [
  {
    states: 'enforces Pod Security `restricted` of a named version in every namespace',
    violations: (manifests) => [
      ...ofKind(manifests, 'Namespace')
        .filter(
          ({ metadata: { labels = {} } }) =>
            !['enforce', 'warn', 'audit'].every(
              (mode) =>
                labels[`pod-security.kubernetes.io/${mode}`] === 'restricted' &&
                /^v1\.\d+$/.test(labels[`pod-security.kubernetes.io/${mode}-version`] ?? ''),
            ),
        )
        .map(titleOf),
      ...NAMESPACES.filter((name) => !ofKind(manifests, 'Namespace').some(({ metadata }) => metadata.name === name)),
    ],
    breakIn: (manifests) =>
      (find(manifests, 'Namespace', 'payment-gateway-data').metadata.labels['pod-security.kubernetes.io/enforce'] =
        'baseline'),
  },
  {
    states: 'puts every object into one of the two namespaces',
    violations: (manifests) =>
      manifests
        .filter(({ kind, metadata }) => !CLUSTER_KINDS.includes(kind) && !NAMESPACES.includes(metadata.namespace ?? ''))
        .map(titleOf),
    breakIn: (manifests) => delete find(manifests, 'Service', 'intent-api').metadata.namespace,
  },
  {
    states: 'bounds what a namespace may use',
    violations: (manifests) =>
      ofKind(manifests, 'ResourceQuota').some(({ metadata }) => metadata.namespace === 'payment-gateway')
        ? []
        : ['payment-gateway'],
    breakIn: (manifests) => (find(manifests, 'ResourceQuota', 'all').metadata.namespace = 'payment-gateway-data'),
  },
  {
    states: 'holds no Secret',
    violations: (manifests) => ofKind(manifests, 'Secret').map(titleOf),
    breakIn: (manifests) =>
      manifests.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', namespace: 'payment-gateway' } }),
  },
  {
    states: 'denies all traffic by default, in both directions, and allows names from the DNS server of the cluster',
    violations: (manifests) =>
      NAMESPACES.flatMap((namespace) => {
        const policies: any[] = ofKind(manifests, 'NetworkPolicy').filter(
          (each) => each.metadata.namespace === namespace,
        );
        const denies = policies.some(
          ({ spec }) =>
            Object.keys(spec.podSelector).length === 0 &&
            spec.policyTypes.length === 2 &&
            spec.ingress === undefined &&
            spec.egress === undefined,
        );
        const names = policies.some(
          ({ metadata, spec }) =>
            metadata.name === 'names' &&
            spec.egress[0].to[0].podSelector.matchLabels['k8s-app'] === 'kube-dns' &&
            spec.egress[0].ports.map(({ protocol, port }: any) => `${protocol} ${port}`).join() === 'UDP 53,TCP 53',
        );
        return denies && names ? [] : [namespace];
      }),
    breakIn: (manifests) => (policyOf(manifests, 'default-deny').spec.policyTypes = ['Ingress']),
  },
  {
    states: 'lets each service call those that its settings name, on the private port, and no other',
    violations: (manifests) => SERVICES.filter((service) => !isAsSettingsSay(manifests, service, PRIVATE_PORT)),
    breakIn: (manifests) => policyOf(manifests, 'intent-api').spec.egress[0].to.pop(),
  },
  {
    states: 'lets each service call the public ports that its settings name, and no other',
    violations: (manifests) => SERVICES.filter((service) => !isAsSettingsSay(manifests, service, PUBLIC_PORT)),
    breakIn: (manifests) =>
      policyOf(manifests, 'sms-ingest').spec.egress.push({
        to: [{ podSelector: { matchLabels: { [NAME]: 'intent-api' } } }],
        ports: [{ port: PUBLIC_PORT }],
      }),
  },
  {
    states: 'opens one port per rule between services, the private or the public one',
    violations: (manifests) =>
      SERVICES.filter((service) => {
        const { egress = [], ingress = [] } = policyOf(manifests, service).spec;
        const rules = [...egress, ...ingress].filter((rule: any) => podsIn(rule.to ?? rule.from).length > 0);
        return rules.some(
          ({ ports = [] }: any) => ports.length !== 1 || ![PRIVATE_PORT, PUBLIC_PORT].includes(ports[0].port),
        );
      }),
    breakIn: (manifests) => policyOf(manifests, 'intent-api').spec.egress[0].ports.push({ port: 22 }),
  },
  {
    states:
      'keeps the dispatcher away from every private address and host agent, and from all ports but those of endpoints',
    violations: (manifests) => {
      const rules: any[] = policyOf(manifests, 'webhook-dispatcher').spec.egress.filter((rule: any) =>
        rule.to.some((peer: any) => peer.ipBlock),
      );
      const [{ to, ports } = { to: [], ports: [] }] = rules;
      const { cidr, except = [] } = to[0]?.ipBlock ?? {};
      const closed = [
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '100.64.0.0/10',
        '169.254.0.0/16',
        '127.0.0.0/8',
        '168.63.129.16/32',
      ];
      const holds =
        rules.length === 1 &&
        cidr === '0.0.0.0/0' &&
        closed.every((range) => except.includes(range)) &&
        isDeepStrictEqual(
          ports.map(({ port, endPort = port }: any) => ({ from: port, to: endPort })),
          ENDPOINT_PORTS,
        );
      return holds ? [] : ['webhook-dispatcher'];
    },
    breakIn: (manifests) =>
      policyOf(manifests, 'webhook-dispatcher')
        .spec.egress.find((rule: any) => rule.to[0].ipBlock)
        .to[0].ipBlock.except.splice(1, 1),
  },
  {
    states: 'lets nothing but the dispatcher and, on the ports of mail, dashboard-api reach addresses by their range',
    violations: (manifests) =>
      ofKind(manifests, 'NetworkPolicy')
        .filter(({ metadata }) => metadata.namespace === 'payment-gateway')
        .filter(({ spec }: any) => spec.podSelector.matchLabels?.[NAME] !== 'webhook-dispatcher')
        .filter(({ metadata, spec }: any) => {
          const rules = (spec.egress ?? []).filter(({ to = [{ ipBlock: {} }] }: any) =>
            to.some(({ ipBlock }: any) => ipBlock !== undefined),
          );
          const isMail = ({ to, ports = [] }: any) =>
            to?.every(({ ipBlock }: any) => ipBlock?.except?.includes('169.254.0.0/16')) &&
            ports.map(({ port }: any) => port).join() === MAIL_PORTS.join();
          return metadata.name === 'dashboard-api' ? rules.length !== 1 || !rules.every(isMail) : rules.length > 0;
        })
        .map(titleOf),
    breakIn: (manifests) => policyOf(manifests, 'dashboard-api').spec.egress.at(-1).ports.push({ port: 25 }),
  },
  {
    states: 'lets nothing but services reach the reconciler, and nothing but Prometheus beside them a private port',
    violations: (manifests) =>
      ofKind(manifests, 'NetworkPolicy')
        .filter(({ metadata, spec }: any) => {
          const isOpen = (spec.ingress ?? []).some(
            (rule: any) =>
              (rule.ports ?? [{ port: 9_090 }]).some(({ port }: any) => port === 9_090) &&
              (rule.from ?? [{}]).some(
                (peer: any) =>
                  !SERVICES.includes(peer.podSelector?.matchLabels?.[NAME]) &&
                  peer.podSelector?.matchLabels?.[NAME] !== 'prometheus',
              ),
          );
          return metadata.namespace === 'payment-gateway' && isOpen;
        })
        .map(titleOf),
    breakIn: (manifests) => policyOf(manifests, 'reconciler').spec.ingress.push({ ports: [{ port: 9_090 }] }),
  },
  {
    states: 'gives the services Postgres and RabbitMQ over TLS, and the migrations Postgres',
    violations: (manifests) => {
      const values = (name: string) => policyOf(manifests, name).spec.podSelector.matchExpressions?.[0].values.join();
      const port = (name: string) => policyOf(manifests, name).spec.egress[0].ports[0].port;
      const holds =
        values('to-postgres') === 'service,migration' &&
        values('postgres-from-services') === undefined &&
        port('to-postgres') === 5_432 &&
        port('to-rabbitmq') === 5_671;
      const from = policyOf(manifests, 'postgres-from-services').spec.ingress[0].from[0];
      const admits = from.podSelector.matchExpressions[0].values.join() === 'service,migration';
      return holds && admits ? [] : ['data services'];
    },
    breakIn: (manifests) => (policyOf(manifests, 'to-rabbitmq').spec.egress[0].ports[0].port = 5_672),
  },
];
