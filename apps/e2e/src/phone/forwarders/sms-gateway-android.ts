import { createHash, createHmac } from 'node:crypto';
import { JSON_BODY, untilTaken, withDhakaOffset, type Forwarder } from './forwarder';

/** capcom6's app: signs body and timestamp, numbers SIMs from 1, and retries for hours with the same event id. */
export const smsGatewayAndroid: Forwarder = {
  batch: 1,
  request: ([sms], secret, now) => {
    if (sms === undefined) throw new RangeError('one text at a time');
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const body = JSON.stringify({
      deviceId: 'ffffffffceb0b1db0000018e937c815b',
      event: 'sms:received',
      id: sms.id,
      payload: {
        messageId: createHash('sha256').update(sms.text).digest('hex').slice(0, 8),
        message: sms.text,
        sender: sms.sender,
        phoneNumber: sms.sender,
        recipient: `+88${sms.wallet.msisdn}`,
        simNumber: sms.wallet.simSlot,
        receivedAt: withDhakaOffset(sms.receivedAt),
      },
      webhookId: 'LreFUt-Z3sSq0JufY9uWB',
    });
    const signature = createHmac('sha256', secret)
      .update(body + timestamp)
      .digest('hex');
    return {
      method: 'POST',
      headers: {
        ...JSON_BODY,
        'user-agent': 'me.capcom.smsgateway/1.68.0',
        'x-timestamp': timestamp,
        'x-signature': signature,
      },
      body,
    };
  },
  outcome: untilTaken,
};
