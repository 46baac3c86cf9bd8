import { isSameSecret, macOf } from '@pay/signing';
import { malformed, type ForwarderAdapter, type ForwarderRequest, type HookGiven } from './adapter';
import { fieldsOf, jsonFields, textOf, type Fields } from './fields';
import { instantOf } from './instant';
import { simSlotOf } from './sim-slot';
import { isFresh } from './verify';

/** Bearer eyJhbGciOi...: header, claims and signature of a JWT. */
const TOKEN = /^bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i;
const ISSUER = 'api.httpsms.com';

/**
 * httpSMS: a CloudEvent, with a JWT (HS256) that names the hook's address. The token does not cover the body: who has
 * seen one could send other texts with it for as long as it is fresh.
 */
export const httpsms: ForwarderAdapter = {
  methods: ['POST'],
  // Tries twice at most, whatever the status.
  later: 503,
  read(request, given) {
    const doubt = doubtOf(request, given);
    if (doubt !== undefined) return { kind: doubt };
    const event = jsonFields(request.rawBody);
    const type = event && textOf(event, 'type');
    if (event === undefined || type === undefined) return malformed('type is required and must be a string');
    if (type !== 'message.phone.received') return { kind: 'nothing' };
    const data = fieldsOf(event['data']) ?? {};
    if (data['encrypted'] === true)
      return malformed('data.content must not be encrypted: switch encryption off in the app');
    return {
      kind: 'sms',
      sms: {
        sender: data['contact'],
        message: data['content'],
        receivedAt: instantOf(given.now, data['timestamp'], event['time']),
        receiverMsisdn: textOf(data, 'owner'),
        simSlot: simSlotOf(data['sim']),
        clientMessageId: textOf(event, 'id') ?? textOf(data, 'message_id'),
      },
    };
  },
};

function doubtOf({ headers, path }: ForwarderRequest, { secret, now }: HookGiven): 'signature' | 'stale' | undefined {
  const [, head = '', body = '', signature = ''] = TOKEN.exec(headers.authorization ?? '') ?? [];
  if (secret === null || part(head)?.['alg'] !== 'HS256') return 'signature';
  if (!isSameSecret(signature, macOf(secret, `${head}.${body}`).toString('base64url'))) return 'signature';
  const { iss, aud, exp, nbf, iat } = part(body) ?? {};
  // The address as the app knows it may begin with any host, and with a path that a proxy takes away.
  if (iss !== ISSUER || !isFor(path, aud)) return 'signature';
  const seconds = now.getTime() / 1_000;
  const isInTime = typeof exp === 'number' && exp > seconds && (nbf === undefined || Number(nbf) <= seconds);
  return isInTime && typeof iat === 'number' && isFresh(iat * 1_000, now) ? undefined : 'stale';
}

/** One audience, as a text or, as newer makers of tokens write it, as the only one of a list. */
function isFor(path: string, aud: unknown): boolean {
  const [only, ...others] = [aud].flat();
  return typeof only === 'string' && others.length === 0 && only.endsWith(path);
}

function part(encoded: string): Fields | undefined {
  return jsonFields(Buffer.from(encoded, 'base64url'));
}
