import type { IncomingHttpHeaders } from 'node:http';

/** A request as it came. */
export interface ForwarderRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The query string, as it was sent. */
  readonly query: string;
  readonly rawBody: Buffer;
  /** The hook's own address without the host. A credential. */
  readonly path: string;
}

export interface HookGiven {
  /** The secret that signs requests or is part of them; null if the hook has none. */
  readonly secret: string | null;
  readonly now: Date;
}

/**
 * The unvalidated message of a request. Example: `{sender: 'bKash', message: 'You have received ...', receivedAt:
 * '2026-01-22T02:54:01.000Z'}`
 */
export interface ForwardedSms {
  readonly sender: unknown;
  readonly message: unknown;
  readonly receivedAt: string;
  readonly receiverMsisdn?: string | undefined;
  readonly simSlot?: number | undefined;
  readonly clientMessageId?: string | undefined;
}

/**
 * The content of a request: one SMS, a list, a `heartbeat` (sent every minute), a rare contact (`heard`), nothing to
 * store, or a rejected request (`signature`, `stale` or invalid). `answer` is the app's own response format.
 */
export type ForwarderReading =
  | { readonly kind: 'sms'; readonly sms: ForwardedSms }
  | { readonly kind: 'list'; readonly list: readonly ListedSms[] }
  | { readonly kind: 'heartbeat' | 'heard' | 'nothing'; readonly answer?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'signature' | 'stale' }
  | { readonly kind: 'malformed'; readonly problem: string };

export interface ListedSms {
  /** Key by which the app identifies its item. */
  readonly id: unknown;
  readonly sms: ForwardedSms;
}

/** The adapter of one app: interprets requests without I/O. */
export interface ForwarderAdapter {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH')[];
  /** The status after which this app sends a message again for certain. */
  readonly later: 429 | 503;
  read(request: ForwarderRequest, given: HookGiven): ForwarderReading;
}

export function malformed(problem: string): ForwarderReading {
  return { kind: 'malformed', problem };
}
