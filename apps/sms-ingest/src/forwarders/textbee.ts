import { isSameSecret, macOf } from '@pay/signing';
import { malformed, type ForwarderAdapter } from './adapter';
import { jsonFields, textOf } from './fields';
import { instantOf } from './instant';
import { simSlotOf } from './sim-slot';

/**
 * textbee: X-Signature is the hex HMAC of the body. Nothing in it is a time, so an old request can be sent again; its
 * idempotencyKey makes it a repeat, which changes nothing.
 */
export const textbee: ForwarderAdapter = {
  methods: ['POST'],
  // Every 4xx ends its attempts, 429 too; after a 5xx it tries for thirty days.
  later: 503,
  read({ headers, rawBody }, { secret, now }) {
    const signature = headers['x-signature'];
    if (typeof signature !== 'string' || secret === null) return { kind: 'signature' };
    if (!isSameSecret(signature.toLowerCase(), macOf(secret, rawBody).toString('hex'))) return { kind: 'signature' };
    const body = jsonFields(rawBody);
    const event = body && textOf(body, 'webhookEvent');
    if (body === undefined || event === undefined) return malformed('webhookEvent is required and must be a string');
    if (event !== 'MESSAGE_RECEIVED') return { kind: 'nothing' };
    return {
      kind: 'sms',
      sms: {
        sender: body['sender'],
        message: body['message'],
        receivedAt: instantOf(now, body['receivedAt']),
        simSlot: simSlotOf(body['simSlot']),
        clientMessageId: textOf(body, 'idempotencyKey', 'smsId'),
      },
    };
  },
};
