import { SECRET, TEXT, read, smsOf } from '../../test/forwarder-requests';

describe('Incoming SMS to URL', () => {
  const unquoted = `{"from":"bKash","text":${JSON.stringify(TEXT)},"sentStamp":1769050441000,"receivedStamp":1769050448417,"sim":"sim1"}`;

  it("reads its SMS with quoted or unquoted stamps at the phone's time of receipt", () => {
    const sms = smsOf(read('incoming-sms-to-url', { body: unquoted }, null));
    const quoted = unquoted.replaceAll(/:(\d{13})/g, ':"$1"');

    expect(sms).toMatchObject({ sender: 'bKash', message: TEXT, receivedAt: '2026-01-22T02:54:08.417Z', simSlot: 1 });
    expect(smsOf(read('incoming-sms-to-url', { body: quoted }, null))).toEqual(sms);
    const unknown = unquoted.replace('sim1', 'undetected');
    expect(smsOf(read('incoming-sms-to-url', { body: unknown }, null)).simSlot).toBeUndefined();
  });

  it('treats equal bytes as the same message and other bytes as a new one', () => {
    const idOf = (body: string) => smsOf(read('incoming-sms-to-url', { body }, null)).clientMessageId;
    expect(idOf(unquoted)).toBe(idOf(unquoted));
    expect(idOf(unquoted.replace('1769050441000', '1769050441001'))).not.toBe(idOf(unquoted));
  });

  it('ignores notifications of other apps, whose title may be the name of a provider', () => {
    const body = unquoted.replace('sim1', 'notification');
    expect(read('incoming-sms-to-url', { body }, null)).toEqual({ kind: 'nothing' });
  });

  it('requires the secret in its header if the hook has one', () => {
    const headers = { 'x-hook-secret': SECRET };
    expect(read('incoming-sms-to-url', { headers, body: unquoted }).kind).toBe('sms');
    expect(read('incoming-sms-to-url', { body: unquoted })).toEqual({ kind: 'signature' });
    const wrong = { 'x-hook-secret': `${SECRET}x` };
    expect(read('incoming-sms-to-url', { headers: wrong, body: unquoted })).toEqual({ kind: 'signature' });
  });
});
