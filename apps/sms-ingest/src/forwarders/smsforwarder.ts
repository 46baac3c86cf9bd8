import { isSameSecret, macOf } from '@pay/signing';
import { malformed, type ForwarderAdapter, type ForwarderRequest } from './adapter';
import { formFields, jsonFields, looksLikeJson, textOf, type Fields } from './fields';
import { instantOf, momentOf } from './instant';
import { simSlotOf } from './sim-slot';
import { contentId, isFresh } from './verify';

/**
 * SmsForwarder (pppscn): a template that the user types, as form, JSON or address. `sign` is the Base64 HMAC of the
 * time of sending and the secret, URL-encoded once or more, and does not cover the text: who has seen one request could
 * send other texts while it is fresh.
 */
export const smsforwarder: ForwarderAdapter = {
  methods: ['GET', 'POST', 'PUT', 'PATCH'],
  // Tries again only as often as the user has set, and after anything but 200.
  later: 503,
  read(request, { secret, now }) {
    const fields = fieldsIn(request);
    if (fields === undefined) return malformed('body must be a valid JSON object');
    const timestamp = textOf(fields, 'timestamp', 'sentStamp');
    const sign = textOf(fields, 'sign');
    if (timestamp === undefined || sign === undefined || secret === null) return { kind: 'signature' };
    const expected = macOf(secret, `${timestamp}\n${secret}`).toString('base64');
    // Every spelling is compared, so that the duration does not depend on the signature.
    if (
      !spellingsOf(sign)
        .map((spelling) => isSameSecret(spelling, expected))
        .includes(true)
    )
      return { kind: 'signature' };
    const sentAt = momentOf(timestamp);
    if (sentAt === undefined || !isFresh(sentAt, now)) return { kind: 'stale' };

    // Content and msg may be mixed with the SIM's name and the time, org_content is the SMS itself.
    const [sender, message] = [textOf(fields, 'from'), textOf(fields, 'text', 'org_content', 'content', 'msg')];
    if (sender === undefined) return malformed('from is required: send POST with a template that holds [from]');
    const received = textOf(fields, 'receivedAt', 'receive_time');
    return {
      kind: 'sms',
      sms: {
        sender,
        message,
        receivedAt: instantOf(now, received, timestamp),
        simSlot: simSlotOf(textOf(fields, 'sim', 'card_slot', 'title')),
        clientMessageId: contentId(sender, message, received ?? timestamp),
      },
    };
  },
};

function fieldsIn({ method, query, rawBody }: ForwarderRequest): Fields | undefined {
  const inAddress = formFields(query);
  if (method === 'GET' || rawBody.length === 0) return inAddress;
  const inBody = looksLikeJson(rawBody) ? jsonFields(rawBody) : formFields(rawBody);
  return inBody && { ...inAddress, ...inBody };
}

/** As sent and decoded once and twice; a plus that a form has turned into a space is a plus again. */
function spellingsOf(sign: string): string[] {
  const once = decoded(sign);
  return [sign, once, decoded(once)].map((spelling) => spelling.replaceAll(' ', '+'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
