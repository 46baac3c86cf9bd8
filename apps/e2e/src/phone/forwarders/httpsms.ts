import { createHash, createHmac } from 'node:crypto';
import { JSON_BODY, untilTaken, type Forwarder } from './forwarder';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Equal for all attempts of a message. */
function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * NdoleStudio's app through its server: a CloudEvent, and a bearer token that is valid for twenty minutes and does not
 * sign the text.
 */
export function httpSms(url: string): Forwarder {
  return {
    batch: 1,
    request: ([sms], secret, now) => {
      if (sms === undefined) throw new RangeError('one text at a time');
      const seconds = Math.floor(now.getTime() / 1_000);
      const claims = { aud: url, iss: 'api.httpsms.com', sub: 'WB7DRDWrJZRGbYrv2CKGkqbzvqdC' };
      const times = { exp: seconds + 600, nbf: seconds - 600, iat: seconds };
      const unsigned = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ ...claims, ...times })}`;
      const token = `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
      const type = 'message.phone.received';
      return {
        method: 'POST',
        headers: { ...JSON_BODY, 'x-event-type': type, authorization: `Bearer ${token}` },
        body: JSON.stringify({
          specversion: '1.0',
          id: stableUuid(sms.id),
          source: '/v1/messages/receive',
          type,
          datacontenttype: 'application/json',
          time: sms.receivedAt.toISOString(),
          data: {
            message_id: stableUuid(`message ${sms.id}`),
            user_id: claims.sub,
            owner: `+88${sms.wallet.msisdn}`,
            encrypted: false,
            contact: sms.sender,
            timestamp: sms.receivedAt.toISOString(),
            content: sms.text,
            sim: `SIM${sms.wallet.simSlot}`,
            attachments: null,
          },
        }),
      };
    },
    outcome: untilTaken,
  };
}
