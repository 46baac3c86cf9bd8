import { createHmac } from 'node:crypto';
import { NOW, SECRET, TEXT, read, smsOf } from '../../test/forwarder-requests';

describe('SmsForwarder', () => {
  const stamp = (ms = NOW.getTime()) => String(ms);
  const base64 = (at = stamp(), key = SECRET) => createHmac('sha256', key).update(`${at}\n${key}`).digest('base64');
  const sign = (at = stamp(), key = SECRET) => encodeURIComponent(base64(at, key));
  const template = (changes: object = {}) =>
    JSON.stringify({
      from: 'bKash',
      text: TEXT,
      timestamp: stamp(),
      receivedAt: '2026-01-22 08:54:01',
      sim: 'SIM2_Robi_01811',
      sign: sign(),
      ...changes,
    });
  const expected = { sender: 'bKash', message: TEXT, receivedAt: '2026-01-22T02:54:01.000Z', simSlot: 2 };

  it("reads its SMS in JSON with the time of receipt in the phone's zone", () => {
    expect(smsOf(read('smsforwarder', { body: template() }))).toMatchObject(expected);
    const again = template({ timestamp: stamp(NOW.getTime() + 60_000), sign: sign(stamp(NOW.getTime() + 60_000)) });
    expect(smsOf(read('smsforwarder', { body: again }))).toEqual(smsOf(read('smsforwarder', { body: template() })));
  });

  it('reads its SMS in a form and in the URL, with the signature encoded once or more', () => {
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

  it('reads the original SMS if a template also sends a formatted one', () => {
    const fields = { from: 'bKash', content: `SIM1_GP ${TEXT}`, org_content: TEXT, timestamp: stamp(), sign: sign() };
    expect(smsOf(read('smsforwarder', { body: new URLSearchParams(fields).toString() })).message).toBe(TEXT);
  });

  it('refuses a GET of its default template, which lacks the sender, with instructions', () => {
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
