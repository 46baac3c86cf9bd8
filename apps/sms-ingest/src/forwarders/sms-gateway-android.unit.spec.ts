import { NOW_SECONDS, TEXT, hex, read, smsOf } from '../../test/forwarder-requests';

describe('SMS Gateway for Android', () => {
  const payload = {
    messageId: 'abc123',
    message: TEXT,
    sender: 'bKash',
    phoneNumber: 'bKash',
    recipient: '+8801711111111',
    simNumber: 2,
    receivedAt: '2026-01-22T08:54:01.000+06:00',
  };
  const event = (changes: object = {}, kind = 'sms:received') =>
    JSON.stringify({
      deviceId: 'ffffffffceb0b1db0000018e937c815b',
      event: kind,
      id: 'Ey6ECgOkVVFjz3CL48B8C',
      payload: { ...payload, ...changes },
      webhookId: 'LreFUt-Z3sSq0JufY9uWB',
    });
  const signed = (body: string, seconds = NOW_SECONDS) => ({
    headers: { 'x-timestamp': String(seconds), 'x-signature': hex(body, String(seconds)) },
    body,
  });

  it('reads an SMS with its receiver number, SIM and the id that is the same for all attempts', () => {
    const expected = {
      sender: 'bKash',
      message: TEXT,
      receiverMsisdn: '+8801711111111',
      simSlot: 2,
      receivedAt: '2026-01-22T02:54:01.000Z',
      clientMessageId: 'Ey6ECgOkVVFjz3CL48B8C',
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

  it('treats a ping as a heartbeat and ignores other events', () => {
    expect(read('sms-gateway-android', signed(event({}, 'system:ping')))).toEqual({ kind: 'heartbeat' });
    for (const kind of ['app:started', 'sms:sent', 'mms:received', 'sms:data-received']) {
      expect(read('sms-gateway-android', signed(event({}, kind)))).toEqual({ kind: 'nothing' });
    }
  });

  it('refuses a batch, because a success would tell the app that its texts are stored', () => {
    expect(read('sms-gateway-android', signed(event({}, 'sms:batch:received')))).toMatchObject({ kind: 'malformed' });
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

  it.each([-301, 301])('refuses one of %d seconds as stale, whatever its signature', (seconds) => {
    expect(read('sms-gateway-android', signed(event(), NOW_SECONDS + seconds))).toEqual({ kind: 'stale' });
    const nearly = NOW_SECONDS + Math.sign(seconds) * 299;
    expect(read('sms-gateway-android', signed(event(), nearly)).kind).toBe('sms');
  });

  it('refuses every request without a key', () => {
    expect(read('sms-gateway-android', signed(event()), null)).toEqual({ kind: 'signature' });
  });
});
