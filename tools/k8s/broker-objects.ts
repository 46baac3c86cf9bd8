import { eachService, SERVICES } from '@pay/contracts';
import { definitionsOf } from '@pay/messaging';

const NAMESPACE = 'payment-gateway-data';
const CLUSTER = { rabbitmqClusterReference: { name: 'rabbitmq' } };
const VHOST = '/';

/** The webhook of the operator rejects a User whose Secret does not exist. */
const AFTER_SECRETS = accountsIn('1');
/** A permission of an unknown account fails, and Argo CD would stop the sync. */
const AFTER_USERS = accountsIn('2');

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: object;
}

/** Objects for the RabbitMQ topology operator: accounts, permissions and event exchanges. */
export function brokerObjects(): KubernetesObject[] {
  const passwords = eachService(() => 'not part of the objects');
  const {
    permissions,
    topic_permissions: topics,
    exchanges,
  } = definitionsOf({
    namespace: '',
    vhost: VHOST,
    passwords,
  });
  return [
    ...exchanges.map(({ name, type, durable, auto_delete: autoDelete }) =>
      object('Exchange', name, { name, type, durable, autoDelete, vhost: VHOST }),
    ),
    ...SERVICES.map((service) =>
      object('User', service, { importCredentialsSecret: { name: `rabbitmq-user-${service}` } }, AFTER_SECRETS),
    ),
    // First, because an exchange without a topic permission accepts every key.
    ...topics.map(({ user, exchange, write, read }) =>
      object(
        'TopicPermission',
        `${user}.${exchange}`,
        { user, vhost: VHOST, permissions: { exchange, write, read } },
        AFTER_USERS,
      ),
    ),
    ...permissions.map(({ user, configure, write, read }) =>
      object('Permission', user, { user, vhost: VHOST, permissions: { configure, write, read } }, AFTER_USERS),
    ),
  ];
}

function accountsIn(wave: string) {
  return {
    labels: { 'app.kubernetes.io/component': 'account' },
    annotations: { 'argocd.argoproj.io/sync-wave': wave },
  };
}

function object(
  kind: string,
  name: string,
  spec: object,
  more: Pick<KubernetesObject['metadata'], 'labels' | 'annotations'> = {},
): KubernetesObject {
  const metadata = { name, namespace: NAMESPACE, ...more };
  return { apiVersion: 'rabbitmq.com/v1beta1', kind, metadata, spec: { ...spec, ...CLUSTER } };
}
