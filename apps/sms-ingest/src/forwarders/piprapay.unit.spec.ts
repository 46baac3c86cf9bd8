import { NOW_SECONDS, TEXT, read, smsOf } from '../../test/forwarder-requests';

describe('PipraPay', () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  it('reads JSON with SMS and forms with heartbeats from version 2', () => {
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
    expect(read('piprapay', { body: alive }, null)).toEqual({ kind: 'heard', answer });
    expect(read('piprapay', { body: form({ connection_status: 'Connected' }) }, null)).toEqual({
      kind: 'heard',
      answer,
    });
    expect(read('piprapay', { body: form({ connection_status: 'Disconnected' }) }, null)).toEqual({ kind: 'nothing' });
  });

  it('reads a list in a form and the preceding request from version 3', () => {
    const item = { id: 41, sender: 'bKash', message: TEXT, simSlot: '1', timestamp: '2026-01-22 08:54:01' };
    const body = form({ 'action-companion': 'sms-transmit-bulk', token: 'x', sms_list: JSON.stringify([item, null]) });

    const reading = read('piprapay', { body }, null);

    expect(reading).toEqual({
      kind: 'list',
      list: [
        {
          id: 41,
          sms: {
            sender: 'bKash',
            message: TEXT,
            simSlot: 1,
            clientMessageId: '41',
            receivedAt: '2026-01-22T02:54:01.000Z',
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
