import { createHmac } from 'node:crypto';
import { isSuccess, JSON_BODY, type Forwarder } from './forwarder';

/** vernu's app through its server: signs only the body, and gives a message up after any 4xx. */
export const textbee: Forwarder = {
  batch: 1,
  request: ([sms], secret) => {
    if (sms === undefined) throw new RangeError('one text at a time');
    const body = JSON.stringify({
      smsId: sms.id,
      message: sms.text,
      deviceId: '65f1c0ffee65f1c0ffee65f1',
      webhookSubscriptionId: '65f1beadbeef65f1beadbeef',
      webhookEvent: 'MESSAGE_RECEIVED',
      idempotencyKey: `MESSAGE_RECEIVED-${sms.id}`,
      sender: sms.sender,
      receivedAt: sms.receivedAt.toISOString(),
    });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return { method: 'POST', headers: { ...JSON_BODY, 'x-signature': signature }, body };
  },
  outcome: (answer) => {
    if (isSuccess(answer)) return 'done';
    return answer.status >= 400 && answer.status < 500 ? 'dropped' : 'again';
  },
};
