import { isSameSecret, macOf } from '@pay/signing';
import { malformed, type ForwarderAdapter, type ForwarderRequest, type HookGiven } from './adapter';
import { fieldsOf, jsonFields, textOf } from './fields';
import { instantOf } from './instant';
import { simSlotOf } from './sim-slot';
import { isFresh } from './verify';

/** 1719045971: seconds, made again for every attempt. */
const TIMESTAMP = /^\d{1,12}$/;

/**
 * SMS Gateway for Android (capcom6): X-Signature is the hex HMAC of body and X-Timestamp, written one behind the other.
 */
export const smsGatewayAndroid: ForwarderAdapter = {
  methods: ['POST'],
  // Whatever is no 2xx is sent again, some fifteen times.
  later: 429,
  read(request, given) {
    const doubt = doubtOf(request, given);
    if (doubt !== undefined) return { kind: doubt };
    const body = jsonFields(request.rawBody);
    const event = body && textOf(body, 'event');
    if (body === undefined || event === undefined) return malformed('event is required and must be a string');
    if (event === 'system:ping') return { kind: 'heartbeat' };
    // A success would tell the app to forget the texts that it contains.
    if (event.startsWith('sms:batch:')) return malformed('event must be sms:received: batches are not supported');
    if (event !== 'sms:received') return { kind: 'nothing' };
    const payload = fieldsOf(body['payload']) ?? {};
    return {
      kind: 'sms',
      sms: {
        // Old versions know the second name alone, newer ones send both.
        sender: textOf(payload, 'sender', 'phoneNumber'),
        message: payload['message'],
        receivedAt: instantOf(given.now, payload['receivedAt']),
        receiverMsisdn: textOf(payload, 'recipient'),
        simSlot: simSlotOf(payload['simNumber']),
        // Its messageId is a checksum of 32 bits; this one stays the same over all attempts.
        clientMessageId: textOf(body, 'id'),
      },
    };
  },
};

function doubtOf(
  { headers, rawBody }: ForwarderRequest,
  { secret, now }: HookGiven,
): 'signature' | 'stale' | undefined {
  const [timestamp, signature] = [headers['x-timestamp'], headers['x-signature']];
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || secret === null) return 'signature';
  if (!TIMESTAMP.test(timestamp)) return 'signature';
  if (!isSameSecret(signature.toLowerCase(), macOf(secret, rawBody, timestamp).toString('hex'))) return 'signature';
  return isFresh(Number(timestamp) * 1_000, now) ? undefined : 'stale';
}
