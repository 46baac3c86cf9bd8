import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';
import type { SeededMerchant } from './seed-file';
import { writePrivately } from './write-privately';

/** Describes a running system for tools, tests and benchmarks. */
export interface GatewayFile {
  readonly baseUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly merchants: readonly SeededMerchant[];
  /** `url` is the public server of the process. `privateUrl` serves health, metrics and internal routes. */
  readonly services: Readonly<
    Record<string, { readonly pid: number; readonly url: string; readonly privateUrl: string }>
  >;
  /** URL of the superuser. No service uses the database in it. */
  readonly postgresUrl: string;
  /** URLs with the role and the database of each service. */
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  /** Folder of the Unix socket, if the services use one. */
  readonly postgresSocketFolder?: string;
  /** URL of the broker's administrator. */
  readonly amqpUrl: string;
  /** URLs with the broker account of each service. */
  readonly amqpUrls: Readonly<Record<string, string>>;
  /** Keys with which the services sign their events. */
  readonly eventSigningKeys: Readonly<Record<string, string>>;
  /** Prefix of exchange and queue names. Empty unless AMQP_NAMESPACE is set. */
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
