import { isSameSecret } from '@pay/signing';
import { malformed, type ForwarderAdapter, type ForwarderReading } from './adapter';
import { jsonFields, textOf, type Fields } from './fields';
import { instantOf } from './instant';
import { simSlotOf } from './sim-slot';
import { contentId } from './verify';

/** The header that a merchant may add in the app; Express gives names in lower case. */
export const SECRET_HEADER = 'x-hook-secret';

/**
 * Incoming SMS to URL forwarder (bogkonstantin): no signature and no id; the address is the secret, and a header if the
 * merchant likes.
 */
export const incomingSmsToUrl: ForwarderAdapter = {
  methods: ['POST'],
  // Whatever is no 2xx is sent again, ten times.
  later: 429,
  read({ headers, rawBody }, { secret, now }) {
    const brought = headers[SECRET_HEADER];
    if (secret !== null && !isSameSecret(typeof brought === 'string' ? brought : '', secret))
      return { kind: 'signature' };
    const body = jsonFields(rawBody);
    return body === undefined ? malformed('body must be a valid JSON object') : readTemplate(body, now);
  },
};

/** `{from, text, sentStamp, receivedStamp, sim}`; stamps with or without quotes. */
export function readTemplate(body: Fields, now: Date): ForwarderReading {
  // Newer versions also forward notifications of other apps, whose titles anyone can choose.
  if (body['sim'] === 'notification') return { kind: 'nothing' };
  const { from, text } = body;
  const sentStamp = textOf(body, 'sentStamp');
  return {
    kind: 'sms',
    sms: {
      sender: from,
      message: text,
      // The phone's own clock; that of the SMS centre where it is missing.
      receivedAt: instantOf(now, body['receivedStamp'], sentStamp),
      simSlot: simSlotOf(body['sim']),
      // The body is written once and sent again as it is.
      clientMessageId: contentId(from, text, sentStamp ?? textOf(body, 'receivedStamp')),
    },
  };
}
