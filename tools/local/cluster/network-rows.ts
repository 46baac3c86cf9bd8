import { SERVICES, type ServiceName } from '@pay/contracts';
import { kubectl, NAMESPACE } from './kubectl';
import type { OutsideServers } from './outside-servers';

export interface Row {
  readonly name: string;
  readonly isGood: boolean;
  readonly seen: string;
}

interface Target {
  readonly host: string;
  readonly port: number;
  /** Whether the policies allow the connection. Absent: it follows from the settings of the pod. */
  readonly isAllowed?: boolean;
  /** The target service. A pod may call it on this port if its settings contain its address. */
  readonly peer?: string;
}

interface Outcome extends Target {
  readonly isConnected: boolean;
  readonly mayConnect: boolean;
}

/**
 * Connections from each service and from the edge. Allowed connections are tested too, because a pod without any
 * network would otherwise pass.
 */
export async function networkRows(
  podAddresses: Readonly<Record<string, string>>,
  outside: Omit<OutsideServers, 'close'>,
): Promise<Row[]> {
  const servers: Target[] = [
    { host: 'postgres-rw.payment-gateway-data.svc', port: 5432, isAllowed: true },
    { host: 'rabbitmq.payment-gateway-data.svc', port: 5671, isAllowed: true },
    { host: 'kubernetes.default.svc', port: 443, isAllowed: false },
    { host: '169.254.169.254', port: 80, isAllowed: false },
  ];
  const peers: Target[] = SERVICES.flatMap((peer) => [
    { host: peer, port: 9090, peer },
    { host: podAddresses[peer] ?? peer, port: 9090, peer },
    { host: podAddresses[peer] ?? peer, port: 8080, peer },
  ]);
  const ofServices = await Promise.all(
    SERVICES.map((service) => {
      // A pod always reaches itself, whatever the policies are.
      const others = peers.filter(({ peer, host }) => peer !== service && host !== podAddresses[service]);
      return rowOf(service, [...servers, ...outsideTargets(outside, service), ...others]);
    }),
  );
  const fromEdge: Target[] = [
    ...SERVICES.map((service) => ({ host: service, port: 9090, isAllowed: false })),
    ...SERVICES.filter((service) => service !== 'reconciler').map((host) => ({ host, port: 8080, isAllowed: true })),
    { host: podAddresses['reconciler'] ?? 'reconciler', port: 9090, isAllowed: false },
    ...servers.map((server) => ({ ...server, isAllowed: false })),
  ];
  return [...ofServices, await rowOf('edge', fromEdge)];
}

/** Mail servers may have any address. Only the local overlay permits webhooks to this machine, on all ports. */
function outsideTargets({ host, mailPorts, otherPort }: Omit<OutsideServers, 'close'>, service: ServiceName): Target[] {
  const sendsWebhooks = service === 'webhook-dispatcher';
  const sendsMail = service === 'dashboard-api';
  return [
    { host, port: otherPort, isAllowed: sendsWebhooks },
    ...mailPorts.map((port) => ({ host, port, isAllowed: sendsWebhooks || sendsMail })),
  ];
}

async function rowOf(from: string, targets: readonly Target[]): Promise<Row> {
  const outcomes = await tryAll(from, targets);
  const wrong = outcomes.filter(({ isConnected, mayConnect }) => isConnected !== mayConnect);
  const open = outcomes.filter(({ mayConnect }) => mayConnect).length;
  const problems = wrong.map(({ host, port, isConnected }) => `${host}:${port} is ${isConnected ? 'open' : 'closed'}`);
  return {
    name: from,
    isGood: wrong.length === 0,
    seen:
      wrong.length === 0
        ? `${outcomes.length - open} forbidden paths closed, ${open} needed paths open`
        : problems.join(', '),
  };
}

async function tryAll(from: string, targets: readonly Target[]): Promise<Outcome[]> {
  const answer = await kubectl([
    '-n',
    NAMESPACE,
    'exec',
    `deploy/${from}`,
    '--',
    'node',
    '-e',
    SCRIPT,
    JSON.stringify(targets),
  ]);
  return JSON.parse(answer) as Outcome[];
}

/** Runs in the pod. A service may call the services whose addresses are in its settings. */
const SCRIPT = `
const { connect } = require('node:net');
const targets = JSON.parse(process.argv[1]);
const attempt = ({ host, port }) => new Promise((resolve) => {
  const socket = connect({ host, port });
  const end = (isConnected) => { socket.destroy(); resolve(isConnected); };
  socket.setTimeout(2000, () => end(false));
  socket.on('connect', () => end(true)).on('error', () => end(false));
});
const isPeer = (peer, port) => Object.values(process.env).includes('http://' + peer + ':' + port);
Promise.all(targets.map(async (target) => ({
  ...target,
  isConnected: await attempt(target),
  mayConnect: target.isAllowed ?? isPeer(target.peer, target.port),
}))).then((outcomes) => console.log(JSON.stringify(outcomes)));
`;

export async function podAddresses(): Promise<Record<string, string>> {
  const { items } = JSON.parse(await kubectl(['-n', NAMESPACE, 'get', 'pods', '-o', 'json'])) as {
    items: { metadata: { labels: Record<string, string> }; status: { podIP?: string; phase: string } }[];
  };
  return Object.fromEntries(
    items.flatMap(({ metadata, status }) => {
      const name = metadata.labels['app.kubernetes.io/name'];
      return name !== undefined && status.podIP !== undefined && status.phase === 'Running'
        ? [[name, status.podIP]]
        : [];
    }),
  );
}
