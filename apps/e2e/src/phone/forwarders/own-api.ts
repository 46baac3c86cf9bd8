import { JSON_BODY, untilTaken, type Forwarder } from './forwarder';

/** Uses the gateway's own API: sends batches, and retries after 429 or 5xx. `secret` is the device key. */
export const ownApi: Forwarder = {
  batch: 100,
  request: (texts, secret) => ({
    method: 'POST',
    headers: { ...JSON_BODY, 'x-device-key': secret },
    body: JSON.stringify({
      messages: texts.map(({ id, sender, text, wallet, receivedAt }) => ({
        clientMessageId: id,
        sender,
        message: text,
        receiverMsisdn: wallet.msisdn,
        simSlot: wallet.simSlot,
        receivedAt: receivedAt.toISOString(),
      })),
    }),
  }),
  outcome: untilTaken,
  idsIn: ({ body }) => (JSON.parse(body) as { results: { id?: string }[] }).results.map(({ id }) => id),
};
