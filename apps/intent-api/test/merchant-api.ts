import { randomUUID } from 'node:crypto';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** The merchant API over HTTP, with hand-written requests like those of a merchant's server. */
export function merchantApi(service: () => ServiceUnderTest) {
  async function call(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    const response = await fetch(service().url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    call,
    create(merchant: Pick<MerchantUnderTest, 'apiKey'>, fields: Record<string, unknown> = {}): Promise<Reply> {
      const body = JSON.stringify({ amount: 500, idempotencyKey: randomUUID(), ...fields });
      return call(
        'POST',
        '/v1/payments/intents',
        { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
        body,
      );
    },
    get(merchant: Pick<MerchantUnderTest, 'apiKey'>, id: string): Promise<Reply> {
      return call('GET', `/v1/payments/intents/${id}`, { 'x-api-key': merchant.apiKey });
    },
    list(merchant: Pick<MerchantUnderTest, 'apiKey'>, query = ''): Promise<Reply> {
      return call('GET', `/v1/payments/intents${query}`, { 'x-api-key': merchant.apiKey });
    },
  };
}
