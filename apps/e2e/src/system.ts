import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The description of a running system in `.run/gateway.json`. */
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
  /** Of the superuser; no service uses the database that it names. */
  readonly postgresUrl: string;
  /** Of each service's own role and database. */
  readonly databaseUrls: Readonly<Record<string, string>>;
  /** Where the services reach the same server without TCP, if they do. */
  readonly postgresSocketFolder?: string;
  /** Of the broker's administrator. */
  readonly amqpUrl: string;
  /** Of each service's own account. */
  readonly amqpUrls: Readonly<Record<string, string>>;
  /** What each service signs its events with. */
  readonly eventSigningKeys: Readonly<Record<string, string>>;
  /** Prefix of exchange and queue names. */
  readonly amqpNamespace: string;
}

/** Address of a service's own public server, without the local origin in between. */
export function ownUrl({ services }: RunningSystem, name: string): string {
  const service = services[name];
  if (!service) throw new Error(`the running system has no ${name}`);
  return service.url;
}

/** A service's database, as the superuser. */
export function databaseOf({ postgresUrl, databaseUrls }: RunningSystem, service: string): string {
  const own = databaseUrls[service];
  if (own === undefined) throw new Error(`the running system has no database of ${service}`);
  const url = new URL(postgresUrl);
  url.pathname = new URL(own).pathname;
  return url.toString();
}

/** The superuser's URL, on the way to the server that the services take. */
export function postgresAsServicesReachIt({ postgresUrl, postgresSocketFolder }: RunningSystem): URL {
  const url = new URL(postgresUrl);
  if (postgresSocketFolder !== undefined) url.searchParams.set('host', postgresSocketFolder);
  return url;
}

export function readSystem(runDirectory: string): RunningSystem {
  return JSON.parse(readFileSync(join(runDirectory, 'gateway.json'), 'utf8')) as RunningSystem;
}
