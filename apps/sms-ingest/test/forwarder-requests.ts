import { createHmac } from 'node:crypto';
import { incomingSmsSchema, type Forwarder, type IncomingSms } from '@pay/contracts';
import { ADAPTERS } from '../src/forwarders';
import type { ForwarderReading, ForwarderRequest } from '../src/forwarders/adapter';

export const NOW = new Date('2026-01-22T02:54:08.000Z');
export const NOW_SECONDS = NOW.getTime() / 1_000;
export const SECRET = 'kY3v-9aQ_x7PzR2mWb5T';
/** Where the hooks of these tests are: `<HOOK>/<adapter>/h`. */
export const HOOK = '/v1/sms-events/hooks';
export const TEXT =
  'You have received Tk 500.00 from 01700000001. Ref 12. Fee Tk 0.00. Balance Tk 1,500.00. TrxID DAM5CP1Z21';

/** Hex HMAC of the parts, one behind the other. */
export function hex(...parts: string[]): string {
  return createHmac('sha256', SECRET).update(parts.join('')).digest('hex');
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: string;
}

/** What an adapter makes of a request to a hook with this secret. */
export function read(adapter: Forwarder, sent: Sent, secret: string | null = SECRET): ForwarderReading {
  const { method = 'POST', headers = {}, query = '', body = '' } = sent;
  const request: ForwarderRequest = {
    method,
    headers,
    query,
    rawBody: Buffer.from(body),
    path: `${HOOK}/${adapter}/h`,
  };
  return ADAPTERS[adapter].read(request, { secret, now: NOW });
}

/** The SMS of a reading, held to the rules of a phone's. */
export function smsOf(reading: ForwarderReading): IncomingSms {
  return incomingSmsSchema.parse(reading.kind === 'sms' ? reading.sms : reading);
}
