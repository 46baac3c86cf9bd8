import { createHmac } from 'node:crypto';
import { JSON_BODY, withDhakaOffset, type Forwarder } from './forwarder';

/**
 * 2026-01-22 02:54:01, the format of [receive_time] without a pattern: in the zone of the phone, which it does not
 * contain.
 */
const receiveTime = (at: Date) => withDhakaOffset(at).slice(0, 19).replace('T', ' ');

/**
 * pppscn's app with the JSON template of docs/forwarders. The signature covers the time of sending and nothing of the
 * text.
 */
export const smsForwarder: Forwarder = {
  batch: 1,
  request: ([sms], secret, now) => {
    if (sms === undefined) throw new RangeError('one text at a time');
    const timestamp = String(now.getTime());
    const sign = encodeURIComponent(createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'));
    const written = (text: string) => JSON.stringify(text).slice(1, -1);
    return {
      method: 'POST',
      headers: JSON_BODY,
      body: `{"from":"${written(sms.sender)}","text":"${written(sms.text)}","timestamp":"${timestamp}","receivedAt":"${receiveTime(sms.receivedAt)}","sim":"SIM${sms.wallet.simSlot}_Shop","sign":"${sign}"}`,
    };
  },
  // The app accepts only 200 as success, and tries once by default; the documentation tells merchants to set ten.
  outcome: ({ status }) => (status === 200 ? 'done' : 'again'),
};
