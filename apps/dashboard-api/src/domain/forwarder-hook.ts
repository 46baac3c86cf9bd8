import { SIGNS_TEXT, type Forwarder, type ForwarderHookResponse } from '@pay/contracts';

export interface HookRecord {
  readonly id: string;
  readonly adapter: Forwarder;
  /** Hex SHA-256 of the secret part of the address. */
  readonly hookHash: string;
  /** Encrypted with a key that sms-ingest has too. */
  readonly sealedSecret: string | null;
  readonly createdAt: string;
}

/** More than the apps of one phone, so that an address can be replaced without downtime. */
export const MOST_HOOKS = 8;

export function pathOfHook(adapter: Forwarder, hookId: string): string {
  return `/v1/sms-events/hooks/${adapter}/${hookId}`;
}

export function forwarderHookView({ id, adapter, sealedSecret, createdAt }: HookRecord): ForwarderHookResponse {
  return { id, adapter, hasSecret: sealedSecret !== null, signsText: SIGNS_TEXT[adapter], createdAt };
}
