import { SIGNS_TEXT, type Forwarder, type ForwarderHookResponse } from '@pay/contracts';

/** An address of a device's own for one forwarder app. */
export interface HookRecord {
  readonly id: string;
  readonly adapter: Forwarder;
  /** Hex SHA-256 of the unguessable end of the address. */
  readonly hookHash: string;
  /** Sealed for sms-ingest, which shares the key. */
  readonly sealedSecret: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** More apps than a phone runs, and room to move from one address to the next. */
export const MOST_HOOKS = 8;

export function pathOfHook(adapter: Forwarder, hookId: string): string {
  return `/v1/sms-events/hooks/${adapter}/${hookId}`;
}

export function forwarderHookView({ id, adapter, sealedSecret, createdAt }: HookRecord): ForwarderHookResponse {
  return { id, adapter, hasSecret: sealedSecret !== null, signsText: SIGNS_TEXT[adapter], createdAt };
}
