import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A merchant in `.run/gateway.json`, the description of a running system. */
export interface MerchantAccess {
  readonly apiKey: string;
  readonly deviceId: string;
  readonly deviceKey: string;
  readonly receivers: readonly { readonly paymentMethod: string; readonly msisdn: string }[];
}
export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly sandbox: MerchantAccess;
  readonly live: MerchantAccess;
}
export interface RunningSystem {
  readonly baseUrl: string;
  readonly merchants: readonly Merchant[];
  readonly services: Readonly<
    Record<string, { readonly pid: number; readonly url: string; readonly privateUrl: string }>
  >;
  /** URL of the superuser. No service uses the database in it. */
  readonly postgresUrl: string;
  /** URLs with the role and the database of each service. */
  readonly databaseUrls: Readonly<Record<string, string>>;
  /** Folder of the Unix socket, if the services use one. */
  readonly postgresSocketFolder?: string;
  /** URL of the broker's administrator. */
  readonly amqpUrl: string;
  /** URLs with the broker account of each service. */
  readonly amqpUrls: Readonly<Record<string, string>>;
  /** Keys with which the services sign their events. */
  readonly eventSigningKeys: Readonly<Record<string, string>>;
  /** Prefix of exchange and queue names. */
  readonly amqpNamespace: string;
}

/** URL of the service's own public port, without the local origin. */
export function ownUrl({ services }: RunningSystem, name: string): string {
  const service = services[name];
  if (!service) throw new Error(`the running system has no ${name}`);
  return service.url;
}

/** URL of a service's database with the superuser. */
export function databaseOf({ postgresUrl, databaseUrls }: RunningSystem, service: string): string {
  const own = databaseUrls[service];
  if (own === undefined) throw new Error(`the running system has no database of ${service}`);
  const url = new URL(postgresUrl);
  url.pathname = new URL(own).pathname;
  return url.toString();
}

/** URL of the superuser over the connection that services use. */
export function postgresAsServicesReachIt({ postgresUrl, postgresSocketFolder }: RunningSystem): URL {
  const url = new URL(postgresUrl);
  if (postgresSocketFolder !== undefined) url.searchParams.set('host', postgresSocketFolder);
  return url;
}

export function readSystem(runDirectory: string): RunningSystem {
  return JSON.parse(readFileSync(join(runDirectory, 'gateway.json'), 'utf8')) as RunningSystem;
}
