import { createHmac } from 'node:crypto';
import { HOOK, NOW_SECONDS, SECRET, TEXT, read, smsOf } from '../../test/forwarder-requests';

describe('httpSMS', () => {
  const data = {
    message_id: 'b1d2',
    user_id: 'XtABz6zdeFMoBLoltz6SREDvRSh2',
    owner: '+8801711111111',
    encrypted: false,
    contact: 'bKash',
    timestamp: '2026-01-22T02:54:01.123456Z',
    content: TEXT,
    sim: 'SIM1',
    attachments: [],
  };
  const event = (changes: object = {}, type = 'message.phone.received') =>
    JSON.stringify({
      specversion: '1.0',
      id: '5ef1',
      source: '/v1/messages/receive',
      type,
      datacontenttype: 'application/json',
      time: '2026-01-22T02:54:02.123456Z',
      data: { ...data, ...changes },
    });
  const claims = {
    aud: `https://pay.shop.example/gateway${HOOK}/httpsms/h`,
    iss: 'api.httpsms.com',
    sub: data.user_id,
    exp: NOW_SECONDS + 600,
    nbf: NOW_SECONDS - 600,
    iat: NOW_SECONDS,
  };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  function bearer(given: object = claims, { alg = 'HS256', key = SECRET } = {}) {
    const signedPart = `${encoded({ alg, typ: 'JWT' })}.${encoded(given)}`;
    const signature = createHmac('sha256', key).update(signedPart).digest('base64url');
    return { authorization: `Bearer ${signedPart}.${signature}`, 'x-event-type': 'message.phone.received' };
  }

  it('reads its SMS from a CloudEvent', () => {
    expect(smsOf(read('httpsms', { headers: bearer(), body: event() }))).toEqual({
      sender: 'bKash',
      message: TEXT,
      receivedAt: '2026-01-22T02:54:01.123Z',
      receiverMsisdn: '+8801711111111',
      simSlot: 1,
      clientMessageId: '5ef1',
    });
    const listed = bearer({ ...claims, aud: [claims.aud] });
    expect(read('httpsms', { headers: listed, body: event() }).kind).toBe('sms');
    expect(read('httpsms', { headers: bearer(), body: event({}, 'message.phone.sent') })).toEqual({ kind: 'nothing' });
    expect(read('httpsms', { headers: bearer(), body: event({ encrypted: true }) }).kind).toBe('malformed');
    expect(smsOf(read('httpsms', { headers: bearer(), body: event({ sim: 'DEFAULT' }) })).simSlot).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['of another key', bearer(claims, { key: 'another key of twenty' })],
    ['of another algorithm', bearer(claims, { alg: 'none' })],
    ['for another hook', bearer({ ...claims, aud: `https://pay.shop.example${HOOK}/httpsms/other` })],
    ['for this hook and others', bearer({ ...claims, aud: [claims.aud, 'https://other.example'] })],
    ['from another issuer', bearer({ ...claims, iss: 'somebody' })],
  ])('a token %s is refused', (_name, headers) => {
    expect(read('httpsms', { headers, body: event() })).toEqual({ kind: 'signature' });
  });

  it.each([
    ['over', { exp: NOW_SECONDS - 1 }],
    ['not begun', { nbf: NOW_SECONDS + 60 }],
    ['older than five minutes, although it says ten', { iat: NOW_SECONDS - 301 }],
    ['without a time', { iat: undefined }],
  ])('a token that is %s is stale', (_name, change) => {
    const headers = bearer({ ...claims, ...change });
    expect(read('httpsms', { headers, body: event() })).toEqual({ kind: 'stale' });
  });
});
