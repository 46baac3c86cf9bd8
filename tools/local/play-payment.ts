import { randomBytes, randomUUID } from 'node:crypto';
import { verifyWebhook } from '@pay/signing';
import { aRandomMsisdn, aRandomTrxId, bkashSendMoneyText, captureServer, type CapturedRequest } from '@pay/testing';
import { callerOf, textOf } from './gateway-call';
import type { ProgressPrinter } from './progress-printer';
import type { SeededMerchant } from './seed-file';

const WEBHOOK_TIMEOUT_MS = 20_000;
const METHOD = 'BKASH_SEND_MONEY';

interface PaidWebhook {
  readonly event: string;
  readonly data: { readonly payment_intent_id: string; readonly amount: string; readonly status: string };
}

/**
 * Plays a SANDBOX payment through the public address as merchant, customer and phone, and verifies the signed webhook.
 */
export async function playPayment(
  baseUrl: string,
  merchant: SeededMerchant,
  progress: Pick<ProgressPrinter, 'say' | 'step'>,
  /** Address of this machine for requests from services to the shop. */
  shopHost = '127.0.0.1',
): Promise<void> {
  const { apiKey, deviceKey } = merchant.sandbox;
  const call = callerOf(baseUrl, { apiKey, deviceKey });
  const secret = randomBytes(32).toString('hex');
  const shop = await captureServer(undefined, shopHost);
  let endpointId: string | undefined;
  try {
    const endpoint = await progress.step('The shop registers its webhook endpoint', () =>
      call('POST', '/v1/webhooks/endpoints', { url: `${shop.url}/webhooks`, secret, eventTypes: ['payment.paid'] }),
    );
    endpointId = textOf(endpoint, 'id');

    const intent = await progress.step(
      (created) =>
        `The shop creates an intent of Tk 1250.50: status ${textOf(created, 'status')}, reference ${textOf(created, 'customerReference')}`,
      () =>
        call('POST', '/v1/payments/intents', { amount: 1250.5, idempotencyKey: randomUUID(), paymentMethod: METHOD }),
    );
    const intentId = textOf(intent, 'id');

    const sms = bkashSendMoneyText({
      amount: '1250.50',
      sender: aRandomMsisdn(),
      reference: textOf(intent, 'customerReference'),
      trxId: aRandomTrxId(),
    });
    progress.say(`The customer pays; the shop's phone receives this SMS from bKash:\n"${sms}"`);
    const forwarded = performance.now();
    await progress.step('The phone forwards the SMS; it is stored', () =>
      call('POST', '/v1/sms-events/incoming', {
        sender: 'bKash',
        message: sms,
        receiverMsisdn: textOf(intent, 'receiverMsisdn'),
        receivedAt: new Date().toISOString(),
      }),
    );

    const isForIntent = (request: CapturedRequest) =>
      (request.json() as PaidWebhook).data.payment_intent_id === intentId;
    const webhook = await shop.waitFor(isForIntent, 'the signed payment.paid arrives', {
      timeoutMs: WEBHOOK_TIMEOUT_MS,
    });
    verifyWebhook(webhook.rawBody, webhook.headers, secret, { now: new Date() });
    const { event, data } = webhook.json() as PaidWebhook;
    progress.say(
      `The shop receives ${event} of Tk ${data.amount} ${Math.round(webhook.receivedAtMs - forwarded)} ms after the phone sent the SMS; the signature is valid`,
    );

    const paid = await progress.step(
      (found) => `The shop retrieves the intent: status ${textOf(found, 'status')}`,
      () => call('GET', `/v1/payments/intents/${intentId}`),
    );
    if (textOf(paid, 'status') !== 'PAID')
      throw new Error(`The webhook reports PAID but the API returns ${textOf(paid, 'status')}.`);
  } finally {
    if (endpointId !== undefined) await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`).catch(() => undefined);
    await shop.close();
  }
}
