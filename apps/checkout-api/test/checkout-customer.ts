import type { ServiceUnderTest } from './service-under-test';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
  readonly durationMs: number;
}

/** The public checkout over HTTP, like a customer's browser. */
export function checkoutCustomer(service: () => ServiceUnderTest) {
  async function call(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const startedAt = performance.now();
    const response = await fetch(service().url + path, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
      durationMs: performance.now() - startedAt,
    };
  }
  return {
    call,
    view: (id: string, headers: Record<string, string> = {}) => call('GET', `/v1/checkout/${id}`, undefined, headers),
    choose: (id: string, paymentMethod: unknown) =>
      call('POST', `/v1/checkout/${id}/method`, JSON.stringify({ paymentMethod })),
    confirm: (id: string, trxId: unknown, more: Readonly<Record<string, unknown>> = {}) =>
      call('POST', `/v1/checkout/${id}/confirm`, JSON.stringify({ trxId, ...more })),
    cancel: (id: string) => call('POST', `/v1/checkout/${id}/cancel`),
  };
}
