import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';
import type { SeededMerchant } from './seed-file';
import { writePrivately } from './write-privately';

/** The description of a running system for tools, tests and benchmarks. */
export interface GatewayFile {
  readonly baseUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly merchants: readonly SeededMerchant[];
  /** `url` is the public server of one process, `privateUrl` its health, metrics and internal routes. */
  readonly services: Readonly<
    Record<string, { readonly pid: number; readonly url: string; readonly privateUrl: string }>
  >;
  /** Of the superuser; no service uses the database that it names. */
  readonly postgresUrl: string;
  /** Of each service's own role and database. */
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  /** Where the services reach the same server without TCP, if they do. */
  readonly postgresSocketFolder?: string;
  /** Of the broker's administrator. */
  readonly amqpUrl: string;
  /** Of each service's own account. */
  readonly amqpUrls: Readonly<Record<string, string>>;
  /** The key with which each service signs its events. */
  readonly eventSigningKeys: Readonly<Record<string, string>>;
  /** Prefix of exchange and queue names; empty unless AMQP_NAMESPACE is set. */
  readonly amqpNamespace: string;
}

export function writeGatewayFile(runDir: string, gateway: GatewayFile): void {
  writePrivately(gatewayPath(runDir), gateway);
}

export function removeGatewayFile(runDir: string): void {
  rmSync(gatewayPath(runDir), { force: true });
}

export function gatewayPath(runDir: string): string {
  return join(runDir, 'gateway.json');
}
