import { createHmac } from 'node:crypto';
import { JSON_BODY, withDhakaOffset, type Forwarder } from './forwarder';

/**
 * Example: 2026-01-22 02:54:01. The format of [receive_time] without a pattern: local time of the phone, without its
 * zone.
 */
const receiveTime = (at: Date) => withDhakaOffset(at).slice(0, 19).replace('T', ' ');

/**
 * pppscn's app with the JSON template of docs/forwarders. The signature covers the time of sending and not the text.
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
  // The app accepts only 200 and tries once by default. The documentation tells merchants to set ten retries.
  outcome: ({ status }) => (status === 200 ? 'done' : 'again'),
};
