import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running system tells about itself in `.run/gateway.json`. */
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
  readonly postgresUrl: string;
  /** Where the services reach the same server without TCP, if they do. */
  readonly postgresSocketFolder?: string;
  readonly amqpUrl: string;
  /** Prefix of exchange and queue names. */
  readonly amqpNamespace: string;
}

export function readSystem(runDirectory: string): RunningSystem {
  return JSON.parse(readFileSync(join(runDirectory, 'gateway.json'), 'utf8')) as RunningSystem;
}
