import { createHmac } from 'node:crypto';
import { incomingSmsSchema, type Forwarder } from '@pay/contracts';
import fc from 'fast-check';
import type { ForwarderReading, ForwarderRequest } from './adapter';
import { ADAPTERS } from './index';

const NOW = new Date('2026-01-22T02:54:08.000Z');
const NOW_SECONDS = NOW.getTime() / 1_000;
const SECRET = 'kY3v-9aQ_x7PzR2mWb5T';
const HOOK = '/v1/sms-events/hooks';
const TEXT = 'You have received Tk 500.00 from 01700000001. Ref 12. Fee Tk 0.00. Balance Tk 1,500.00. TrxID DAM5CP1Z21';
const hex = (...parts: string[]) => createHmac('sha256', SECRET).update(parts.join('')).digest('hex');

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: string;
}

function read(
  adapter: Forwarder,
  { method = 'POST', headers = {}, query = '', body = '' }: Sent,
  secret?: string | null,
) {
  const request: ForwarderRequest = {
    method,
    headers,
    query,
    rawBody: Buffer.from(body),
    path: `${HOOK}/${adapter}/h`,
  };
  return ADAPTERS[adapter].read(request, { secret: secret === undefined ? SECRET : secret, now: NOW });
}

/** What sms-ingest makes of a reading, as every forwarded message is checked. */
function smsOf(reading: ForwarderReading) {
  return incomingSmsSchema.parse(reading.kind === 'sms' ? reading.sms : reading);
}

describe('SMS Gateway for Android', () => {
  const payload = {
    ...{ messageId: 'abc123', message: TEXT, sender: 'bKash', phoneNumber: 'bKash', recipient: '+8801711111111' },
    ...{ simNumber: 2, receivedAt: '2026-01-22T08:54:01.000+06:00' },
  };
  const event = (changes: object = {}, kind = 'sms:received') =>
    JSON.stringify({
      ...{ deviceId: 'ffffffffceb0b1db0000018e937c815b', event: kind, id: 'Ey6ECgOkVVFjz3CL48B8C' },
      ...{ payload: { ...payload, ...changes }, webhookId: 'LreFUt-Z3sSq0JufY9uWB' },
    });
  const signed = (body: string, seconds = NOW_SECONDS) => ({
    headers: { 'x-timestamp': String(seconds), 'x-signature': hex(body, String(seconds)) },
    body,
  });

  it('its SMS, with the number and SIM that it came to and the id that stays over all attempts', () => {
    const expected = {
      ...{ sender: 'bKash', message: TEXT, receiverMsisdn: '+8801711111111', simSlot: 2 },
      ...{ receivedAt: '2026-01-22T02:54:01.000Z', clientMessageId: 'Ey6ECgOkVVFjz3CL48B8C' },
    };

    expect(smsOf(read('sms-gateway-android', signed(event())))).toEqual(expected);
    const again = signed(event(), NOW_SECONDS + 40);
    expect(smsOf(read('sms-gateway-android', again))).toEqual(expected);
    const older = signed(event({ sender: undefined, recipient: null, simNumber: null }));
    expect(smsOf(read('sms-gateway-android', older))).toEqual({
      ...expected,
      receiverMsisdn: undefined,
      simSlot: undefined,
    });
  });

  it('a ping is a heartbeat; of other events it wants nothing', () => {
    expect(read('sms-gateway-android', signed(event({}, 'system:ping')))).toEqual({ kind: 'alive' });
    for (const kind of ['app:started', 'sms:sent', 'mms:received', 'sms:data-received']) {
      expect(read('sms-gateway-android', signed(event({}, kind)))).toEqual({ kind: 'nothing' });
    }
  });

  it.each([
    ['no signature', () => ({ body: event() })],
    ['another key', () => ({ ...signed(event()), headers: { ...signed(`${event()} `).headers } })],
    ['a changed body', () => ({ ...signed(event()), body: event({ message: TEXT.replace('500', '5,000') }) })],
    ['a changed time', () => ({ ...signed(event()), headers: { ...signed(event()).headers, 'x-timestamp': '1' } })],
    [
      'a key of another hook',
      () => ({ ...signed(event()), headers: { ...signed(event()).headers, 'x-signature': '' } }),
    ],
  ])('%s is refused', (_name, request) => {
    expect(read('sms-gateway-android', request())).toEqual({ kind: 'signature' });
  });

  it.each([-301, 301])('one of %d seconds is stale, whoever signed it', (seconds) => {
    expect(read('sms-gateway-android', signed(event(), NOW_SECONDS + seconds))).toEqual({ kind: 'stale' });
    const nearly = NOW_SECONDS + Math.sign(seconds) * 299;
    expect(read('sms-gateway-android', signed(event(), nearly)).kind).toBe('sms');
  });

  it('without a key nothing is believed', () => {
    expect(read('sms-gateway-android', signed(event()), null)).toEqual({ kind: 'signature' });
  });
});

describe('textbee', () => {
  const message = {
    ...{ smsId: '66f1', message: TEXT, deviceId: '66d0', webhookSubscriptionId: '66d1', sender: 'NAGAD' },
    ...{ webhookEvent: 'MESSAGE_RECEIVED', idempotencyKey: 'a3c1', receivedAt: '2026-01-22T02:54:01.000Z' },
  };
  const signed = (body: string) => ({ headers: { 'x-signature': hex(body) }, body });

  it('its SMS, by the key that stays over thirty days of attempts', () => {
    expect(smsOf(read('textbee', signed(JSON.stringify(message))))).toEqual({
      ...{ sender: 'NAGAD', message: TEXT, receivedAt: '2026-01-22T02:54:01.000Z', clientMessageId: 'a3c1' },
    });
    expect(read('textbee', signed(JSON.stringify({ ...message, webhookEvent: 'MESSAGE_SENT' })))).toEqual({
      kind: 'nothing',
    });
  });

  it('a wrong signature and a changed body are refused', () => {
    const body = JSON.stringify(message);
    expect(read('textbee', { body })).toEqual({ kind: 'signature' });
    expect(read('textbee', { ...signed(body), body: body.replace('500', '900') })).toEqual({ kind: 'signature' });
    // The other app of this header signs the time too.
    expect(read('textbee', { headers: { 'x-signature': hex(body, '1769050448') }, body })).toEqual({
      kind: 'signature',
    });
  });

  it('too much at once is no 4xx, after which it would drop the message', () => {
    expect(ADAPTERS.textbee.later).toBe(503);
  });
});

describe('httpSMS', () => {
  const data = {
    ...{ message_id: 'b1d2', user_id: 'XtABz6zdeFMoBLoltz6SREDvRSh2', owner: '+8801711111111', encrypted: false },
    ...{ contact: 'bKash', timestamp: '2026-01-22T02:54:01.123456Z', content: TEXT, sim: 'SIM1', attachments: [] },
  };
  const event = (changes: object = {}, type = 'message.phone.received') =>
    JSON.stringify({
      ...{ specversion: '1.0', id: '5ef1', source: '/v1/messages/receive', type, datacontenttype: 'application/json' },
      ...{ time: '2026-01-22T02:54:02.123456Z', data: { ...data, ...changes } },
    });
  const claims = {
    ...{ aud: `https://pay.shop.example/gateway${HOOK}/httpsms/h`, iss: 'api.httpsms.com', sub: data.user_id },
    ...{ exp: NOW_SECONDS + 600, nbf: NOW_SECONDS - 600, iat: NOW_SECONDS },
  };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  function bearer(given: object = claims, { alg = 'HS256', key = SECRET } = {}) {
    const signedPart = `${encoded({ alg, typ: 'JWT' })}.${encoded(given)}`;
    const signature = createHmac('sha256', key).update(signedPart).digest('base64url');
    return { authorization: `Bearer ${signedPart}.${signature}`, 'x-event-type': 'message.phone.received' };
  }

  it('its SMS from a CloudEvent', () => {
    expect(smsOf(read('httpsms', { headers: bearer(), body: event() }))).toEqual({
      ...{ sender: 'bKash', message: TEXT, receivedAt: '2026-01-22T02:54:01.123Z', receiverMsisdn: '+8801711111111' },
      ...{ simSlot: 1, clientMessageId: '5ef1' },
    });
    expect(read('httpsms', { headers: bearer(), body: event({}, 'message.phone.sent') })).toEqual({ kind: 'nothing' });
    expect(read('httpsms', { headers: bearer(), body: event({ encrypted: true }) }).kind).toBe('malformed');
    expect(smsOf(read('httpsms', { headers: bearer(), body: event({ sim: 'DEFAULT' }) })).simSlot).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['of another key', bearer(claims, { key: 'another key of twenty' })],
    ['of another algorithm', bearer(claims, { alg: 'none' })],
    ['for another hook', bearer({ ...claims, aud: `https://pay.shop.example${HOOK}/httpsms/other` })],
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

describe('SmsForwarder', () => {
  const stamp = (ms = NOW.getTime()) => String(ms);
  const base64 = (at = stamp(), key = SECRET) => createHmac('sha256', key).update(`${at}\n${key}`).digest('base64');
  const sign = (at = stamp(), key = SECRET) => encodeURIComponent(base64(at, key));
  const template = (changes: object = {}) =>
    JSON.stringify({
      ...{ from: 'bKash', text: TEXT, timestamp: stamp(), receivedAt: '2026-01-22 08:54:01', sim: 'SIM2_Robi_01811' },
      ...{ sign: sign(), ...changes },
    });
  const expected = { sender: 'bKash', message: TEXT, receivedAt: '2026-01-22T02:54:01.000Z', simSlot: 2 };

  it('its SMS in JSON, with the time of receipt in the zone of the phone', () => {
    expect(smsOf(read('smsforwarder', { body: template() }))).toMatchObject(expected);
    const again = template({ timestamp: stamp(NOW.getTime() + 60_000), sign: sign(stamp(NOW.getTime() + 60_000)) });
    expect(smsOf(read('smsforwarder', { body: again }))).toEqual(smsOf(read('smsforwarder', { body: template() })));
  });

  it('its SMS in a form and in the address, the signature encoded once or more', () => {
    const fields = { from: 'bKash', content: TEXT, timestamp: stamp() };
    const form = (more: Record<string, string>) => new URLSearchParams({ ...fields, ...more }).toString();
    const plain = `${form({})}&sign=${base64()}`;
    for (const sent of [
      { body: form({ sign: base64() }) },
      { body: form({ sign: sign() }) },
      { body: plain },
      { method: 'PUT', body: form({ sign: sign() }) },
      { method: 'GET', query: form({ sign: encodeURIComponent(sign()) }) },
    ]) {
      expect(smsOf(read('smsforwarder', sent))).toMatchObject({
        ...expected,
        receivedAt: NOW.toISOString(),
        simSlot: undefined,
      });
    }
  });

  it('a GET of its default template lacks the sender, and says what to do', () => {
    const query = new URLSearchParams({ content: TEXT, timestamp: stamp(), sign: base64() }).toString();
    expect(read('smsforwarder', { method: 'GET', query })).toEqual({
      kind: 'malformed',
      problem: expect.stringMatching(/^from is required/),
    });
  });

  it('refuses a wrong, a missing and a stale signature', () => {
    const late = stamp(NOW.getTime() - 300_001);
    expect(read('smsforwarder', { body: template({ sign: sign(stamp(), 'another key of twenty') }) })).toEqual({
      kind: 'signature',
    });
    expect(read('smsforwarder', { body: template({ sign: '' }) })).toEqual({ kind: 'signature' });
    expect(read('smsforwarder', { body: template({ timestamp: late }) })).toEqual({ kind: 'signature' });
    expect(read('smsforwarder', { body: template({ timestamp: late, sign: sign(late) }) })).toEqual({ kind: 'stale' });
  });
});

describe('Incoming SMS to URL', () => {
  const unquoted = `{"from":"bKash","text":${JSON.stringify(TEXT)},"sentStamp":1769050441000,"receivedStamp":1769050448417,"sim":"sim1"}`;

  it('its SMS, stamps quoted or not, at the time of the phone that received it', () => {
    const sms = smsOf(read('incoming-sms-to-url', { body: unquoted }, null));
    const quoted = unquoted.replaceAll(/:(\d{13})/g, ':"$1"');

    expect(sms).toMatchObject({ sender: 'bKash', message: TEXT, receivedAt: '2026-01-22T02:54:08.417Z', simSlot: 1 });
    expect(smsOf(read('incoming-sms-to-url', { body: quoted }, null))).toEqual(sms);
    const unknown = unquoted.replace('sim1', 'undetected');
    expect(smsOf(read('incoming-sms-to-url', { body: unknown }, null)).simSlot).toBeUndefined();
  });

  it('the same bytes are the same message, others are not', () => {
    const idOf = (body: string) => smsOf(read('incoming-sms-to-url', { body }, null)).clientMessageId;
    expect(idOf(unquoted)).toBe(idOf(unquoted));
    expect(idOf(unquoted.replace('1769050441000', '1769050441001'))).not.toBe(idOf(unquoted));
  });

  it('wants the secret in its header where the hook has one', () => {
    const headers = { 'x-hook-secret': SECRET };
    expect(read('incoming-sms-to-url', { headers, body: unquoted }).kind).toBe('sms');
    expect(read('incoming-sms-to-url', { body: unquoted })).toEqual({ kind: 'signature' });
    const wrong = { 'x-hook-secret': `${SECRET}x` };
    expect(read('incoming-sms-to-url', { headers: wrong, body: unquoted })).toEqual({ kind: 'signature' });
  });
});

describe('PipraPay', () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  it('version 2: JSON for SMS, a form for signs of life', () => {
    const body = `{"from":"NAGAD","text":"Money Received.","sentStamp":"1769050441000","receivedStamp":"1769050448417","sim":"sim2"}`;
    const alive = form({
      check: 'i_am_active',
      d_model: 'SM-A05',
      d_brand: 'samsung',
      d_version: '13',
      d_api_level: '33',
    });

    expect(smsOf(read('piprapay', { body }, null))).toMatchObject({ sender: 'NAGAD', simSlot: 2 });
    const answer = { success: true, time_stamp: NOW_SECONDS };
    expect(read('piprapay', { body: alive }, null)).toEqual({ kind: 'alive', answer });
    expect(read('piprapay', { body: form({ connection_status: 'Connected' }) }, null)).toEqual({
      kind: 'alive',
      answer,
    });
    expect(read('piprapay', { body: form({ connection_status: 'Disconnected' }) }, null)).toEqual({ kind: 'nothing' });
  });

  it('version 3: a list by form, and what the app asks for before it', () => {
    const item = { id: 41, sender: 'bKash', message: TEXT, simSlot: '1', timestamp: '2026-01-22 08:54:01' };
    const body = form({ 'action-companion': 'sms-transmit-bulk', token: 'x', sms_list: JSON.stringify([item, null]) });

    const reading = read('piprapay', { body }, null);

    expect(reading).toEqual({
      kind: 'list',
      list: [
        {
          id: 41,
          sms: {
            ...{ sender: 'bKash', message: TEXT, simSlot: 1, clientMessageId: '41' },
            ...{ receivedAt: '2026-01-22T02:54:01.000Z' },
          },
        },
        expect.objectContaining({ id: null }),
      ],
    });
    const login = form({ 'action-companion': 'login', onetimepassword: '1', name: 'till' });
    expect(read('piprapay', { body: login }, null)).toMatchObject({ kind: 'nothing', answer: { token: 'hook' } });
    expect(read('piprapay', { body: form({ action: 'sms-transmit-sender', token: 'x' }) }, null)).toMatchObject({
      kind: 'nothing',
      answer: { senders: expect.arrayContaining([expect.objectContaining({ provider_key: 'bkash' })]) },
    });
    expect(read('piprapay', { body: form({ action: 'sms-transmit-bulk', sms_list: '{"a":1' }) }, null).kind).toBe(
      'malformed',
    );
  });
});

describe('whatever is sent to any of them', () => {
  const adapters = Object.keys(ADAPTERS) as Forwarder[];
  const anyBody = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom(
          'event',
          'payload',
          'from',
          'text',
          'sign',
          'timestamp',
          'sms_list',
          'action',
          'data',
          'type',
          '__proto__',
        ),
        fc.jsonValue(),
        { noNullPrototype: true },
      )
      .map((value) => JSON.stringify(value)),
    fc.array(fc.tuple(fc.string(), fc.string())).map((fields) => fields.map((field) => field.join('=')).join('&')),
  );
  const header = fc.oneof(
    fc.string(),
    fc.constantFrom('1769050448', 'Bearer a.b.c', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x'),
  );

  it.each(adapters)('%s judges it and throws nothing, with a right signature or without', (adapter) => {
    fc.assert(
      fc.property(anyBody, header, header, fc.boolean(), (body, one, other, isSigned) => {
        const [stampText, signature] = isSigned
          ? [String(NOW_SECONDS), adapter === 'textbee' ? hex(body) : hex(body, String(NOW_SECONDS))]
          : [one, other];
        const headers = { 'x-timestamp': stampText, 'x-signature': signature, authorization: one };
        const secret = ADAPTERS[adapter].later === 429 && !isSigned ? null : SECRET;
        const reading = read(adapter, { headers, query: other, body }, secret);
        // What is let through is checked field by field like any phone's message.
        if (reading.kind === 'sms') incomingSmsSchema.safeParse(reading.sms);
        if (reading.kind === 'list') for (const { sms } of reading.list) incomingSmsSchema.safeParse(sms);
        expect(Object.keys(reading)).toContain('kind');
      }),
      { numRuns: 150 },
    );
  });
});
