import { Pool } from 'undici';
import type { MerchantAccess } from './system';

export interface Reply<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
}

export interface Intent {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly customerReference: string;
  readonly receiverMsisdn: string | null;
  readonly paymentMethod: string | null;
  readonly expiresAt: string;
}

/** The public API as used by a merchant's backend, a merchant's phone and a customer's browser. */
export class PublicApi {
  private readonly pool: Pool;

  constructor(
    readonly baseUrl: string,
    connections = 32,
  ) {
    this.pool = new Pool(baseUrl, { connections, pipelining: 1 });
  }

  async call<Body>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Reply<Body>> {
    const response = await this.pool.request({
      method,
      path,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as Body,
    };
  }

  createIntent(access: MerchantAccess, fields: Record<string, unknown>): Promise<Reply<Intent>> {
    return this.call('POST', '/v1/payments/intents', { 'x-api-key': access.apiKey }, fields);
  }

  getIntent(access: MerchantAccess, id: string): Promise<Reply<Intent>> {
    return this.call('GET', `/v1/payments/intents/${id}`, { 'x-api-key': access.apiKey });
  }

  forwardSms(access: MerchantAccess, message: { sender: string; message: string; receiverMsisdn?: string | null }) {
    return this.call<{ id: string; status: string; duplicate: boolean }>(
      'POST',
      '/v1/sms-events/incoming',
      { 'x-device-key': access.deviceKey },
      { ...message, receivedAt: new Date().toISOString() },
    );
  }

  confirm(intentId: string, trxId: string) {
    return this.call<{ matched: boolean; reason: string; smsEventId: string | null; code?: string }>(
      'POST',
      `/v1/checkout/${intentId}/confirm`,
      {},
      { trxId },
    );
  }

  registerEndpoint(access: MerchantAccess, url: string, secret: string, eventTypes?: string[]) {
    return this.call<{ id: string }>(
      'POST',
      '/v1/webhooks/endpoints',
      { 'x-api-key': access.apiKey },
      { url, secret, ...(eventTypes ? { eventTypes } : {}) },
    );
  }

  verifyEndpoint(access: MerchantAccess, id: string) {
    const path = `/v1/webhooks/endpoints/${id}/verify`;
    return this.call<{ id: string; isVerified: boolean }>('POST', path, { 'x-api-key': access.apiKey });
  }

  deleteEndpoint(access: MerchantAccess, id: string) {
    return this.call('DELETE', `/v1/webhooks/endpoints/${id}`, { 'x-api-key': access.apiKey });
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
