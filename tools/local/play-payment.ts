import { randomBytes, randomUUID } from 'node:crypto';
import { verifyWebhook } from '@pay/signing';
import { aRandomMsisdn, aRandomTrxId, bkashSendMoneyText, captureServer, type CapturedRequest } from '@pay/testing';
import type { Narrator } from './narrator';
import type { SeededMerchant } from './seed-file';

const WEBHOOK_TIMEOUT_MS = 20_000;
const METHOD = 'BKASH_SEND_MONEY';

interface PaidWebhook {
  readonly event: string;
  readonly data: { readonly payment_intent_id: string; readonly amount: string; readonly status: string };
}

/**
 * One whole payment in the sandbox as merchant, customer and phone would make it, through the public address alone: an endpoint
 * is registered, an intent created, bKash's text forwarded, and the signed webhook awaited and verified.
 */
export async function playPayment(
  baseUrl: string,
  merchant: SeededMerchant,
  narrator: Pick<Narrator, 'say' | 'step'>,
  /** Address of this machine at which services reach the shop. */
  shopHost = '127.0.0.1',
): Promise<void> {
  const { apiKey, deviceKey } = merchant.sandbox;
  const call = caller(baseUrl, { apiKey, deviceKey });
  const secret = randomBytes(32).toString('hex');
  const shop = await captureServer(undefined, shopHost);
  let endpointId: string | undefined;
  try {
    const endpoint = await narrator.step('The shop registers its webhook endpoint', () =>
      call('POST', '/v1/webhooks/endpoints', { url: `${shop.url}/webhooks`, secret, eventTypes: ['payment.paid'] }),
    );
    endpointId = text(endpoint, 'id');

    const intent = await narrator.step(
      (created) =>
        `The shop creates an intent of Tk 1250.50: status ${text(created, 'status')}, reference ${text(created, 'customerReference')}`,
      () =>
        call('POST', '/v1/payments/intents', { amount: 1250.5, idempotencyKey: randomUUID(), paymentMethod: METHOD }),
    );
    const intentId = text(intent, 'id');

    const sms = bkashSendMoneyText({
      amount: '1250.50',
      sender: aRandomMsisdn(),
      reference: text(intent, 'customerReference'),
      trxId: aRandomTrxId(),
    });
    narrator.say(`The customer pays; the shop's phone receives this SMS from bKash:\n"${sms}"`);
    const forwarded = performance.now();
    await narrator.step('The phone forwards the SMS; it is stored', () =>
      call('POST', '/v1/sms-events/incoming', {
        sender: 'bKash',
        message: sms,
        receiverMsisdn: text(intent, 'receiverMsisdn'),
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
    narrator.say(
      `The shop receives ${event} of Tk ${data.amount} ${Math.round(webhook.receivedAtMs - forwarded)} ms after the phone sent the SMS; the signature is valid`,
    );

    const paid = await narrator.step(
      (found) => `The shop retrieves the intent: status ${text(found, 'status')}`,
      () => call('GET', `/v1/payments/intents/${intentId}`),
    );
    if (text(paid, 'status') !== 'PAID')
      throw new Error(`The webhook reports PAID but the API returns ${text(paid, 'status')}.`);
  } finally {
    if (endpointId !== undefined) await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`).catch(() => undefined);
    await shop.close();
  }
}

type Json = Readonly<Record<string, unknown>>;
type Call = (method: string, path: string, body?: Json) => Promise<Json>;

function caller(baseUrl: string, { apiKey, deviceKey }: { apiKey: string; deviceKey: string }): Call {
  return async (method, path, body) => {
    const credential = path.startsWith('/v1/sms-events') ? { 'x-device-key': deviceKey } : { 'x-api-key': apiKey };
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...credential, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${answer}`);
    return answer === '' ? {} : (JSON.parse(answer) as Json);
  };
}

function text(json: Json, field: string): string {
  const value = json[field];
  if (typeof value !== 'string') throw new Error(`The response has no ${field}: ${JSON.stringify(json)}`);
  return value;
}
