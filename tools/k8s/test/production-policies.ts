import { SERVICES, type ServiceName } from '@pay/contracts';
import { settingsMapOf } from './cluster-policies';
import { find, mebibytes, ofKind, titleOf, type Policy } from './pod-policies';
import { containersOf, type Manifest } from './render';

const AUTOSCALERS = ['HorizontalPodAutoscaler', 'ScaledObject'];
/** Connections per role besides the pools: a migration, and two for each of two concurrent operator commands. */
const BESIDE_POOLS = 1 + 4;
/** Reserved by the server, and used by its operator. */
const OTHER_CONNECTIONS = { reserved: 3, operator: 10 };

function bounds(scaler: any): { target: string; min: number; max: number } {
  const { scaleTargetRef, minReplicas, minReplicaCount, maxReplicas, maxReplicaCount } = scaler.spec;
  return { target: scaleTargetRef.name, min: minReplicas ?? minReplicaCount, max: maxReplicas ?? maxReplicaCount };
}

export function scalerOf(manifests: readonly Manifest[], service: ServiceName): any {
  const found = ofKind(manifests, ...AUTOSCALERS).filter((scaler) => bounds(scaler).target === service);
  if (found.length !== 1) throw new Error(`${service} has ${found.length} autoscalers`);
  return found[0];
}

/** Additional pods during a rollout: the new one, and those that keep their pools while they drain. */
const ROLLOUT_PODS = 3;

/** Maximum number of connections of a service during a rollout. */
function mostConnections(manifests: readonly Manifest[], service: ServiceName): number {
  const size = Number(settingsMapOf(manifests, service)['data'].DATABASE_POOL_SIZE);
  return size * (bounds(scalerOf(manifests, service)).max + ROLLOUT_PODS) + BESIDE_POOLS;
}

/** Maximum number of pods in the namespace, and the sum of their memory limits in MiB. */
function mostPods(manifests: readonly Manifest[]): { pods: number; memory: number } {
  const owners = ofKind(manifests, 'Deployment', 'Job').filter(
    ({ metadata }) => metadata.namespace === 'payment-gateway',
  );
  const sizes = owners.map((owner) => {
    const service = SERVICES.find((each) => each === owner.metadata.name);
    const fixed = owner.kind === 'Job' ? 1 : Number(owner['spec'].replicas) + 1;
    const pods = service === undefined ? fixed : bounds(scalerOf(manifests, service)).max + ROLLOUT_PODS;
    const limits = containersOf(owner).map(({ resources }) => mebibytes(resources.limits.memory));
    return { pods, memory: pods * limits.reduce((sum, each) => sum + each, 0) };
  });
  return {
    pods: sizes.reduce((sum, { pods }) => sum + pods, 0),
    memory: sizes.reduce((sum, { memory }) => sum + memory, 0),
  };
}

/** Postgres writes GB for GiB. Infinite if the setting has no limit. */
function gigabytes(setting: string): number {
  const [, count] = /^(\d+)GB$/.exec(setting) ?? [];
  return count === undefined ? Infinity : Number(count);
}

export function queriesOf(scaler: any): string[] {
  return (scaler.spec.triggers ?? []).flatMap(({ metadata }: any) =>
    metadata.query === undefined ? [] : [metadata.query],
  );
}

/** Policies of overlays with real servers, operators and autoscalers. */
const FAILOVER_QUORUM = 'alpha.cnpg.io/failoverQuorum';

export const PRODUCTION_POLICIES: readonly Policy[] = [
  {
    states: 'runs an image by its digest',
    violations: (manifests) =>
      ofKind(manifests, 'Deployment', 'Job')
        .filter((each) =>
          each['spec'].template.spec.containers.some(({ image }: any) => /payment-gateway:/.test(image)),
        )
        .map(titleOf),
    breakIn: (manifests) =>
      (find(manifests, 'Deployment', 'intent-api').spec.template.spec.containers[0].image = 'payment-gateway:1'),
  },
  {
    states: 'scales every service by one autoscaler between two replicas and a bound, and leaves the number to it',
    violations: (manifests) =>
      SERVICES.filter((service) => {
        const { min, max } = bounds(scalerOf(manifests, service));
        return !(min >= 2 && max > min) || find(manifests, 'Deployment', service).spec.replicas !== undefined;
      }),
    breakIn: (manifests) => (find(manifests, 'Deployment', 'intent-api').spec.replicas = 2),
  },
  {
    states: 'scales down slowly',
    violations: (manifests) =>
      SERVICES.filter((service) => {
        const { spec } = scalerOf(manifests, service);
        const { behavior } = spec.advanced?.horizontalPodAutoscalerConfig ?? spec;
        return !(behavior.scaleDown.stabilizationWindowSeconds >= 300);
      }),
    breakIn: (manifests) => (scalerOf(manifests, 'dashboard-api').spec.behavior.scaleDown = {}),
  },
  {
    states: 'scales consumers by ages and backlogs in their databases, because a message carries up to 20 events',
    violations: (manifests) => {
      const wanted: Partial<Record<ServiceName, readonly string[]>> = {
        'intent-api': ['messaging_outbox_oldest_seconds{service="intent-api"}'],
        'sms-ingest': ['messaging_outbox_oldest_seconds{service="sms-ingest"}'],
        reconciler: ['sms_undecided_oldest_seconds', 'messaging_outbox_oldest_seconds{service="reconciler"}'],
        'webhook-dispatcher': ['webhook_deliveries_due'],
      };
      return SERVICES.filter((service) => {
        const scaler = scalerOf(manifests, service);
        const queries = queriesOf(scaler).join(' ');
        const hasFallback = queries === '' || scaler.spec.fallback?.replicas >= 2;
        return !hasFallback || (wanted[service] ?? []).some((metric) => !queries.includes(metric));
      });
    },
    breakIn: (manifests) => scalerOf(manifests, 'reconciler').spec.triggers.shift(),
  },
  {
    states: 'limits the connections of each role to those of its service at its largest',
    violations: (manifests) => {
      const { roles } = find(manifests, 'Cluster', 'postgres').spec.managed;
      return SERVICES.filter((service) => {
        const role = roles.find((each: any) => each.name === service.replaceAll('-', '_'));
        return role.connectionLimit !== mostConnections(manifests, service);
      });
    },
    breakIn: (manifests) => (scalerOf(manifests, 'sms-ingest').spec.maxReplicaCount = 11),
  },
  {
    states: 'has room in Postgres for the connections of every role, the reserve and the operator',
    violations: (manifests) => {
      const { postgresql, managed } = find(manifests, 'Cluster', 'postgres').spec;
      const limits: number[] = managed.roles.map((role: any) => role.connectionLimit ?? Infinity);
      const all = [...limits, ...Object.values(OTHER_CONNECTIONS)].reduce((sum, each) => sum + each, 0);
      const { max_connections: most } = postgresql.parameters;
      return all < Number(most) ? [] : [`${all} of ${most}`];
    },
    breakIn: (manifests) => delete find(manifests, 'Cluster', 'postgres').spec.managed.roles[0].connectionLimit,
  },
  {
    states: 'has room in the quota for every pod at its largest number of replicas',
    violations: (manifests) => {
      const { hard } = find(manifests, 'ResourceQuota', 'all').spec;
      const { pods, memory } = mostPods(manifests);
      const hasRoom = pods <= Number(hard.pods) && memory <= mebibytes(hard['limits.memory']);
      return hasRoom ? [] : [`${pods} pods with ${memory} Mi`];
    },
    breakIn: (manifests) => (find(manifests, 'ResourceQuota', 'all').spec.hard['limits.memory'] = '20Gi'),
  },
  {
    states: 'opens no service to outside: the proxies of the edge run in another namespace',
    violations: (manifests) => {
      const { hard } = find(manifests, 'ResourceQuota', 'all').spec;
      const isClosed = ['services.loadbalancers', 'services.nodeports'].every((each) => hard[each] === '0');
      const open = ofKind(manifests, 'Service').filter(({ spec }: any) => (spec.type ?? 'ClusterIP') !== 'ClusterIP');
      return [...(isClosed ? [] : ['ResourceQuota all']), ...open.map(titleOf)];
    },
    breakIn: (manifests) => (find(manifests, 'ResourceQuota', 'all').spec.hard['services.loadbalancers'] = '1'),
  },
  {
    states:
      'keeps three copies of Postgres, promotes only a standby with every acknowledged commit, and backs up by the plugin',
    violations: (manifests) => {
      const { metadata, spec } = find(manifests, 'Cluster', 'postgres');
      const { synchronous } = spec.postgresql;
      const { spec: backup } = find(manifests, 'ScheduledBackup', 'daily');
      const holds =
        spec.instances === 3 &&
        synchronous.number >= 1 &&
        synchronous.dataDurability === 'required' &&
        metadata.annotations?.[FAILOVER_QUORUM] === 'true' &&
        spec.enableSuperuserAccess === false &&
        spec.walStorage !== undefined &&
        spec.backup === undefined &&
        spec.plugins[0].isWALArchiver === true &&
        backup.method === 'plugin' &&
        find(manifests, 'ObjectStore', spec.plugins[0].parameters.barmanObjectName) !== undefined;
      return holds ? [] : ['Cluster postgres'];
    },
    breakIn: (manifests) => delete find(manifests, 'Cluster', 'postgres').metadata.annotations[FAILOVER_QUORUM],
  },
  {
    states:
      'limits the WAL that replication slots retain, so that a dead standby fills no more than 70 % of the volume',
    violations: (manifests) => {
      const { postgresql, walStorage } = find(manifests, 'Cluster', 'postgres').spec;
      const { max_slot_wal_keep_size: retained = '', max_wal_size: checkpoints } = postgresql.parameters;
      const most = gigabytes(retained) + gigabytes(checkpoints);
      return most * 1_024 <= (mebibytes(walStorage.size) * 7) / 10 ? [] : [`${most} GB of ${walStorage.size}`];
    },
    breakIn: (manifests) =>
      delete find(manifests, 'Cluster', 'postgres').spec.postgresql.parameters.max_slot_wal_keep_size,
  },
  {
    states: 'gives the container that archives and backs up its own memory, above the default of the namespace',
    violations: (manifests) => {
      const { resources } = find(manifests, 'ObjectStore', 'backups').spec.instanceSidecarConfiguration;
      const { requests, limits } = resources;
      const holds = limits?.memory === requests?.memory && mebibytes(limits?.memory ?? '0Mi') >= 1_024;
      return holds ? [] : ['ObjectStore backups'];
    },
    breakIn: (manifests) =>
      (find(manifests, 'ObjectStore', 'backups').spec.instanceSidecarConfiguration.resources.limits.memory = '256Mi'),
  },
  {
    states: 'gives each service a database, a schema and a role, and its role no other database',
    violations: (manifests) => {
      const { spec } = find(manifests, 'Cluster', 'postgres');
      const rules: string[] = spec.postgresql.pg_hba;
      const open = rules.filter((rule) => rule.startsWith('hostssl')).length === SERVICES.length + 1;
      const isClosed = rules.at(-1) === 'host all all all reject' && open;
      const incomplete = SERVICES.filter((service) => {
        const role = service.replaceAll('-', '_');
        const { name, schemas, databaseReclaimPolicy } = find(manifests, 'Database', service).spec;
        return !(
          name === `payment_gateway_${role}` &&
          schemas[0].name === role &&
          schemas[0].owner === role &&
          databaseReclaimPolicy === 'retain' &&
          rules.includes(`hostssl ${name} +${role} all scram-sha-256`) &&
          spec.managed.roles.some((each: any) => each.name === role && each.inherit === false)
        );
      });
      return isClosed ? incomplete : ['pg_hba', ...incomplete];
    },
    breakIn: (manifests) => find(manifests, 'Cluster', 'postgres').spec.postgresql.pg_hba.pop(),
  },
  {
    states: 'keeps three brokers of one exact version apart, with TLS alone',
    violations: (manifests) => {
      const { spec } = find(manifests, 'RabbitmqCluster', 'rabbitmq');
      const holds =
        spec.replicas === 3 &&
        /:\d+\.\d+\.\d+-management$/.test(spec.image) &&
        spec.tls.disableNonTLSListeners === true &&
        spec.rabbitmq.additionalConfig.includes('cluster_partition_handling = pause_minority') &&
        spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.length === 1;
      return holds ? [] : ['RabbitmqCluster rabbitmq'];
    },
    breakIn: (manifests) => (find(manifests, 'RabbitmqCluster', 'rabbitmq').spec.image = 'rabbitmq:4.2-management'),
  },
  {
    states: 'takes every Secret that is named from the secret store, and keeps it when the store is away',
    violations: (manifests) => {
      const external = new Map(
        ofKind(manifests, 'ExternalSecret').map((each: any) => [
          `${each.metadata.namespace}/${each.spec.target.name}`,
          each.spec.target.deletionPolicy === 'Retain' && each.apiVersion === 'external-secrets.io/v1',
        ]),
      );
      const named = manifests.flatMap(({ metadata: { namespace }, ...rest }) =>
        [...JSON.stringify(rest).matchAll(/"(?:secretName|serverTLSSecret|serverCASecret)":"([^"]+)"/g)].map(
          ([, name]) => `${namespace}/${name}`,
        ),
      );
      const credentials = ofKind(manifests, 'User').map(
        ({ spec }: any) => `payment-gateway-data/${spec.importCredentialsSecret.name}`,
      );
      return [...new Set([...named, ...credentials])].filter((name) => external.get(name) !== true);
    },
    breakIn: (manifests) => (find(manifests, 'ExternalSecret', 'reconciler').spec.target.deletionPolicy = 'Delete'),
  },
  {
    states: 'labels the Secret of every broker account, because the topology operator reads no other',
    violations: (manifests) => {
      const labelled = ofKind(manifests, 'ExternalSecret')
        .filter(
          ({ spec }: any) => spec.target.template?.metadata?.labels?.['rabbitmq.com/topology-operator'] === 'true',
        )
        .map(({ spec }: any) => spec.target.name);
      return ofKind(manifests, 'User')
        .map(({ spec }: any) => spec.importCredentialsSecret.name)
        .filter((name) => !labelled.includes(name));
    },
    breakIn: (manifests) => delete find(manifests, 'ExternalSecret', 'rabbitmq-user-reconciler').spec.target.template,
  },
  {
    states: 'lets Prometheus scrape every service, with the label that rules expect',
    violations: (manifests) => {
      const { spec } = find(manifests, 'PodMonitor', 'services');
      const [{ port, path, honorLabels, relabelings }] = spec.podMetricsEndpoints;
      const isComplete =
        port === 'private' && path === '/metrics' && honorLabels && relabelings[0].targetLabel === 'service';
      return isComplete ? [] : ['PodMonitor services'];
    },
    breakIn: (manifests) => (find(manifests, 'PodMonitor', 'services').spec.podMetricsEndpoints[0].honorLabels = false),
  },
  {
    states: 'probes every public host, by a path that its routes name',
    violations: (manifests) => {
      const hosts: string[] = find(manifests, 'Gateway', 'public').spec.listeners.flatMap(
        (each: any) => each.hostname ?? [],
      );
      const { targets } = find(manifests, 'Probe', 'public-hosts').spec;
      const probed = targets.staticConfig.static.map((address: string) => new URL(address)) as URL[];
      const isRouted = ({ hostname, pathname }: URL) =>
        ofKind(manifests, 'HTTPRoute')
          .filter(({ spec }: any) => spec.hostnames?.includes(hostname))
          .flatMap(({ spec }: any) => spec.rules.flatMap(({ matches }: any) => matches))
          .some(({ path }: any) => `${pathname}/`.startsWith(`${path.value}/`));
      return [
        ...hosts.filter((host) => !probed.some(({ hostname }) => hostname === host)),
        ...probed.filter((address) => !isRouted(address)).map(String),
      ];
    },
    breakIn: (manifests) =>
      (find(manifests, 'Probe', 'public-hosts').spec.targets.staticConfig.static[1] = 'https://checkout.example.com'),
  },
  {
    states: 'labels scrapes and rules with the release of Prometheus, which selects by this label by default',
    violations: (manifests) =>
      ofKind(manifests, 'PodMonitor', 'Probe', 'PrometheusRule')
        .filter(({ metadata }) => metadata.labels?.['release'] !== 'kube-prometheus-stack')
        .map(titleOf),
    breakIn: (manifests) => delete find(manifests, 'PodMonitor', 'postgres').metadata.labels,
  },
  {
    states: 'links a runbook by its whole address from every alert',
    violations: (manifests) =>
      ofKind(manifests, 'PrometheusRule').flatMap(({ spec }: any) =>
        spec.groups
          .flatMap(({ rules }: any) => rules)
          .filter(({ alert, annotations }: any) => alert !== undefined && !/^https:/.test(annotations?.runbook_url))
          .map(({ alert }: any) => alert),
      ),
    breakIn: (manifests) => {
      const alert = find(manifests, 'PrometheusRule', 'messaging').spec.groups[0].rules.find((rule: any) => rule.alert);
      alert.annotations.runbook_url = `docs/runbooks/${alert.alert}.md`;
    },
  },
];
