import { randomBytes } from 'node:crypto';
import { eachService, SERVICES, type ServiceName } from '@pay/contracts';
import { definitionsOf, verificationKeySetting } from '@pay/messaging';
import { roleOf } from '@pay/local-servers';
import type { Certificate } from './private-certificates';
import { PEERS } from './service-environment';

/** Host names of the servers in all overlays of deploy/k8s. */
export const SERVER_HOSTS = {
  postgres: hostsOf('postgres-rw'),
  rabbitmq: hostsOf('rabbitmq'),
} as const;
const DATA_NAMESPACE = 'payment-gateway-data';
const CA_FILE = '/run/private-ca/ca.crt';

type PerService = Readonly<Record<ServiceName, string>>;
type Settings = Readonly<Record<string, string>>;

export interface InstallationSecrets {
  /** Secret settings per service, with today as their date in ROTATION_DATES. */
  readonly settings: Readonly<Record<ServiceName, Settings>>;
  readonly superuserPassword: string;
  readonly superuserUrl: string;
  readonly rolePasswords: PerService;
  readonly brokerPasswords: PerService;
}

export interface InstallationOptions {
  /** Contains the password of the mail server. */
  readonly smtpUrl: string;
  /** Default: the host names of deploy/k8s. */
  readonly postgresHost?: string;
  readonly rabbitmqHost?: string;
}

export function newInstallationSecrets({
  smtpUrl,
  postgresHost = SERVER_HOSTS.postgres[0],
  rabbitmqHost = SERVER_HOSTS.rabbitmq[0],
}: InstallationOptions): InstallationSecrets {
  const rolePasswords = eachService(password);
  const brokerPasswords = eachService(password);
  const signing = eachService(() => newKey());
  const peers = PEERS.map((pair) => [pair, password()] as const);
  const forwarderKeys = newKey();
  const secretsOf = (service: ServiceName): Settings => ({
    DATABASE_URL: databaseUrl(
      postgresHost,
      roleOf(service),
      rolePasswords[service],
      `payment_gateway_${roleOf(service)}`,
    ),
    AMQP_URL: `amqps://${service}:${brokerPasswords[service]}@${rabbitmqHost}:5671`,
    EVENT_SIGNING_KEYS: signing[service],
    EVENT_VERIFICATION_KEYS: verificationKeySetting(service, signing),
    ...Object.fromEntries(
      peers.flatMap(([pair, secret]) =>
        pair.includes(service) ? [[`PEER_SECRET_${settingName(other(pair, service))}`, secret] as const] : [],
      ),
    ),
    ...ownSecrets(service, { smtpUrl, forwarderKeys }),
  });
  const settingsOf = (service: ServiceName): Settings => {
    const settings = secretsOf(service);
    return { ...settings, ROTATION_DATES: datesOf(Object.keys(settings)) };
  };
  return {
    settings: eachService(settingsOf),
    ...superuser(postgresHost),
    rolePasswords,
    brokerPasswords,
  };
}

export interface SecretObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly type: 'Opaque';
  readonly stringData: Settings;
}

/** The Secrets that overlays/local references. */
export function secretObjects(
  secrets: InstallationSecrets,
  tls: { readonly authority: string; readonly servers: Readonly<Record<'postgres' | 'rabbitmq', Certificate>> },
): SecretObject[] {
  const { postgres, rabbitmq } = tls.servers;
  const definitions = definitionsOf({ namespace: '', vhost: '/', passwords: secrets.brokerPasswords });
  return [
    ...SERVICES.map((service) => secretObject('payment-gateway', service, secrets.settings[service])),
    secretObject('payment-gateway', 'private-ca', { 'ca.crt': tls.authority }),
    secretObject('payment-gateway', 'provision', {
      DATABASE_URL: secrets.superuserUrl,
      ...secrets.rolePasswords,
    }),
    secretObject(DATA_NAMESPACE, 'postgres', {
      password: secrets.superuserPassword,
      'tls.crt': postgres.certificate,
      'tls.key': postgres.key,
    }),
    secretObject(DATA_NAMESPACE, 'rabbitmq', {
      'definitions.json': JSON.stringify(definitions),
      'tls.crt': rabbitmq.certificate,
      'tls.key': rabbitmq.key,
    }),
  ];
}

/** Entries for the ExternalSecrets of deploy/k8s, without certificates, which an authority issues. */
export function storeEntries(secrets: InstallationSecrets): Readonly<Record<string, Settings>> {
  return {
    ...Object.fromEntries(
      SERVICES.map((service) => [`payment-gateway/services/${service}`, secrets.settings[service]]),
    ),
    ...Object.fromEntries(
      SERVICES.map((service) => [
        `payment-gateway/postgres/${service}`,
        { username: roleOf(service), password: secrets.rolePasswords[service] },
      ]),
    ),
    ...Object.fromEntries(
      SERVICES.map((service) => [
        `payment-gateway/rabbitmq/${service}`,
        { username: service, password: secrets.brokerPasswords[service] },
      ]),
    ),
  };
}

/** Example: `SESSION_SECRET=2026-11-23,...` */
function datesOf(settings: readonly string[]): string {
  const today = new Date().toISOString().slice(0, 10);
  return settings.map((setting) => `${setting}=${today}`).join(',');
}

function hostsOf(service: string): readonly [string, ...string[]] {
  const name = `${service}.payment-gateway-data.svc`;
  return [name, `${name}.cluster.local`, `${service}.payment-gateway-data`, service];
}

function superuser(host: string) {
  const superuserPassword = password();
  return { superuserPassword, superuserUrl: databaseUrl(host, 'postgres', superuserPassword, 'postgres') };
}

function databaseUrl(host: string, role: string, secret: string, database: string): string {
  return `postgres://${role}:${secret}@${host}:5432/${database}?sslmode=verify-full&sslrootcert=${CA_FILE}`;
}

function ownSecrets(
  service: ServiceName,
  { smtpUrl, forwarderKeys }: { readonly smtpUrl: string; readonly forwarderKeys: string },
): Settings {
  switch (service) {
    case 'webhook-dispatcher':
      return { SECRET_ENCRYPTION_KEYS: newKey() };
    case 'dashboard-api':
      return {
        SESSION_SECRET: password(),
        TOTP_ENCRYPTION_KEYS: newKey(),
        FORWARDER_SECRET_KEYS: forwarderKeys,
        SMTP_URL: smtpUrl,
      };
    case 'sms-ingest':
      return { SMS_ENCRYPTION_KEYS: newKey(), FORWARDER_SECRET_KEYS: forwarderKeys };
    case 'reconciler':
      return { DECISION_CHAIN_KEYS: newKey() };
    case 'intent-api':
    case 'checkout-api':
      return {};
  }
}

function secretObject(namespace: string, name: string, stringData: Settings): SecretObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', stringData };
}

function settingName(service: ServiceName): string {
  return service.toUpperCase().replaceAll('-', '_');
}

function other([one, two]: readonly [ServiceName, ServiceName], service: ServiceName): ServiceName {
  return one === service ? two : one;
}

function newKey(): string {
  return `k1:${randomBytes(32).toString('base64')}`;
}

function password(): string {
  return randomBytes(32).toString('hex');
}
