import { TEXT, hex, read, smsOf } from '../../test/forwarder-requests';
import { ADAPTERS } from './index';

describe('textbee', () => {
  const message = {
    smsId: '66f1',
    message: TEXT,
    deviceId: '66d0',
    webhookSubscriptionId: '66d1',
    sender: 'NAGAD',
    webhookEvent: 'MESSAGE_RECEIVED',
    idempotencyKey: 'a3c1',
    receivedAt: '2026-01-22T02:54:01.000Z',
  };
  const signed = (body: string) => ({ headers: { 'x-signature': hex(body) }, body });

  it('reads its SMS with the key that is the same for thirty days of attempts', () => {
    expect(smsOf(read('textbee', signed(JSON.stringify(message))))).toEqual({
      sender: 'NAGAD',
      message: TEXT,
      receivedAt: '2026-01-22T02:54:01.000Z',
      clientMessageId: 'a3c1',
    });
    expect(read('textbee', signed(JSON.stringify({ ...message, webhookEvent: 'MESSAGE_SENT' })))).toEqual({
      kind: 'nothing',
    });
  });

  it('refuses a wrong signature and a changed body', () => {
    const body = JSON.stringify(message);
    expect(read('textbee', { body })).toEqual({ kind: 'signature' });
    expect(read('textbee', { ...signed(body), body: body.replace('500', '900') })).toEqual({ kind: 'signature' });
    // The other app of this header signs the time too.
    expect(read('textbee', { headers: { 'x-signature': hex(body, '1769050448') }, body })).toEqual({
      kind: 'signature',
    });
  });

  it('returns a 5xx instead of 429, because the app drops messages after any 4xx', () => {
    expect(ADAPTERS.textbee.later).toBe(503);
  });
});
