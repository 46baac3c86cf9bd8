import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { verificationKeySetting } from '@pay/messaging';
import { ROOT } from './arguments';
import { peerSecret, type Seed } from './seed-file';

/** Pairs of services with HTTP calls. Both services of a pair know the secret and the address of the other one. */
export const PEERS: readonly (readonly [ServiceName, ServiceName])[] = [
  ['checkout-api', 'reconciler'],
  ['checkout-api', 'intent-api'],
  ['reconciler', 'intent-api'],
  ['reconciler', 'sms-ingest'],
  ['checkout-api', 'dashboard-api'],
  ['intent-api', 'dashboard-api'],
  ['sms-ingest', 'dashboard-api'],
  ['webhook-dispatcher', 'dashboard-api'],
  ['reconciler', 'dashboard-api'],
];

/** All local customers have one address. Limits of LIVE keys are the same as anywhere. */
const FAR = '1000000';
const FAR_KEY_LIMITS = {
  RATE_LIMIT_SANDBOX_PER_SECOND: FAR,
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: FAR,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: FAR,
};
const FAR_CHECKOUT_LIMITS = {
  RATE_LIMIT_VIEWS_PER_MINUTE: FAR,
  RATE_LIMIT_ADDRESS_PER_MINUTE: FAR,
  RATE_LIMIT_METHODS_PER_MINUTE: FAR,
  RATE_LIMIT_CONFIRMS_PER_MINUTE: FAR,
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: FAR,
  RATE_LIMIT_STREAMS_PER_ADDRESS: FAR,
};

export interface ServicePorts {
  readonly port: number;
  readonly privatePort: number;
}

export interface Installation {
  readonly seed: Seed;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  /** URL of the administrator. */
  readonly amqpUrl: string;
  readonly amqpUrls: Readonly<Record<ServiceName, string>>;
  readonly baseUrl: string;
  /** Mails are written to this folder instead of being sent. */
  readonly mailDirectory: string;
}

/** Settings of the user's environment take precedence. */
export function serviceEnvironment(
  service: ServiceName,
  installation: Installation,
  outer: NodeJS.ProcessEnv,
): Record<string, string> {
  const { ports, databaseUrls, amqpUrls } = installation;
  return {
    ...machineEnvironment(outer),
    HOST: '127.0.0.1',
    PORT: String(ports[service].port),
    PRIVATE_PORT: String(ports[service].privatePort),
    DATABASE_URL: databaseUrls[service],
    AMQP_URL: amqpUrls[service],
    ...eventKeySettings(service, installation.seed),
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    OTEL_SERVICE_NAME: service,
    ...peersOf(service, installation),
    ...ownSettings(service, installation),
    ...wishes(outer),
  };
}

/** The signing key of the service, and the keys that verify events of others. */
function eventKeySettings(service: ServiceName, { eventSigningKeys }: Seed): Record<string, string> {
  return {
    EVENT_SIGNING_KEYS: eventSigningKeys[service],
    EVENT_VERIFICATION_KEYS: verificationKeySetting(service, eventSigningKeys),
  };
}

/**
 * The variables that every program of this installation inherits, without the rest of the user's environment.
 * NODE_ENV=development is set here, because programs otherwise apply the production rules.
 */
export function machineEnvironment(outer: NodeJS.ProcessEnv): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  return {
    ...pick(outer, (name) => kept.includes(name)),
    NODE_ENV: 'development',
    // Faster starts: docs/performance.md.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
}

function wishes(outer: NodeJS.ProcessEnv): Record<string, string> {
  const settings = [
    'LOG_LEVEL',
    'TRACE_SAMPLE_RATIO',
    'DATABASE_POOL_SIZE',
    'AMQP_NAMESPACE',
    'SHUTDOWN_SECONDS',
    'FAILPOINT',
  ];
  const families = ['LOGIN_LIMIT_', 'MISSING_SMS_', 'OTEL_EXPORTER_', 'RATE_LIMIT_', 'WEBHOOK_'];
  return pick(outer, (name) => settings.includes(name) || families.some((family) => name.startsWith(family)));
}

function pick(outer: NodeJS.ProcessEnv, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outer).flatMap(([name, value]) => (value !== undefined && isWanted(name) ? [[name, value]] : [])),
  );
}

function peersOf(service: ServiceName, { seed, ports }: Installation): Record<string, string> {
  const peers = SERVICES.filter((peer) =>
    PEERS.some((pair) => pair.includes(service) && pair.includes(peer) && peer !== service),
  );
  return Object.fromEntries(
    peers.flatMap((peer) => {
      const name = peer.toUpperCase().replaceAll('-', '_');
      return [
        [`${name}_URL`, `http://127.0.0.1:${ports[peer].privatePort}`],
        [`PEER_SECRET_${name}`, peerSecret(seed, service, peer)],
      ];
    }),
  );
}

function ownSettings(service: ServiceName, { seed, baseUrl, mailDirectory }: Installation): Record<string, string> {
  switch (service) {
    case 'intent-api':
      return { CHECKOUT_URL: `${baseUrl}/checkout`, ...FAR_KEY_LIMITS };
    case 'webhook-dispatcher':
      return {
        SECRET_ENCRYPTION_KEYS: seed.secretEncryptionKeys,
        WEBHOOK_SANDBOX_ALLOWED_CIDRS: '127.0.0.1/32',
        // All local shops are ports of one host.
        WEBHOOK_MAX_ENDPOINTS: '1000',
        WEBHOOK_UNVERIFIED_PER_MINUTE: FAR,
        WEBHOOK_VERIFICATIONS_PER_MINUTE: FAR,
        ...FAR_KEY_LIMITS,
      };
    case 'dashboard-api':
      // All requests come from one address, through the local origin.
      return {
        PUBLIC_API_URL: baseUrl,
        DASHBOARD_URL: `${baseUrl}/dashboard`,
        MAIL_DIRECTORY: mailDirectory,
        SESSION_SECRET: seed.sessionSecret,
        TOTP_ENCRYPTION_KEYS: seed.totpEncryptionKeys,
        FORWARDER_SECRET_KEYS: seed.forwarderSecretKeys,
        LOGIN_LIMIT_PER_ADDRESS: '1000',
        ...FAR_KEY_LIMITS,
        RATE_LIMIT_USER_PER_SECOND: FAR,
        RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND: FAR,
        RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE: FAR,
      };
    case 'checkout-api':
      return FAR_CHECKOUT_LIMITS;
    case 'sms-ingest':
      return {
        SMS_ENCRYPTION_KEYS: seed.smsEncryptionKeys,
        FORWARDER_SECRET_KEYS: seed.forwarderSecretKeys,
        RATE_LIMIT_PAIRINGS_PER_MINUTE: FAR,
        RATE_LIMIT_DEVICE_PER_SECOND: FAR,
        RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: FAR,
      };
    case 'reconciler':
      return { DECISION_CHAIN_KEYS: seed.decisionChainKeys };
  }
}
