import type { IncomingHttpHeaders } from 'node:http';

/** A request as it came. */
export interface ForwarderRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** What follows the question mark, as it was sent. */
  readonly query: string;
  readonly rawBody: Buffer;
  /** The hook's own address without the host. A credential. */
  readonly path: string;
}

export interface HookGiven {
  /** What requests are signed with, or bring along as it is; null where the hook has none. */
  readonly secret: string | null;
  readonly now: Date;
}

/**
 * What was sent for one SMS, not checked yet. Example: `{sender: 'bKash', message: 'You have received ...', receivedAt:
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
 * What a request turned out to be: one SMS; a list that is decided one by one; a `heartbeat`, as the app sends one
 * every minute; a sign of life that comes too seldom to be missed (`heard`); something that asks for nothing; or one
 * that is not to be believed (`signature`, `stale`) or can never be understood. `answer` is what the app wants to read
 * beside the usual.
 */
export type ForwarderReading =
  | { readonly kind: 'sms'; readonly sms: ForwardedSms }
  | { readonly kind: 'list'; readonly list: readonly ListedSms[] }
  | { readonly kind: 'heartbeat' | 'heard' | 'nothing'; readonly answer?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'signature' | 'stale' }
  | { readonly kind: 'malformed'; readonly problem: string };

export interface ListedSms {
  /** By which the app knows its item again. */
  readonly id: unknown;
  readonly sms: ForwardedSms;
}

/** One app: how it says what it says. Pure, so that a request can be decided without a server. */
export interface ForwarderAdapter {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH')[];
  /** The status after which this app sends a message again for certain. */
  readonly later: 429 | 503;
  read(request: ForwarderRequest, given: HookGiven): ForwarderReading;
}

export function malformed(problem: string): ForwarderReading {
  return { kind: 'malformed', problem };
}
