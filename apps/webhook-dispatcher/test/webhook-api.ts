import type { ServiceUnderTest } from './service-under-test';

export interface Reply {
  readonly status: number;
  readonly body: any;
}

/** What a merchant's server calls, by plain HTTP and hand-written JSON. */
export function webhookApi(service: () => ServiceUnderTest) {
  const call = async (
    key: { apiKey: string } | undefined,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Reply> => {
    const response = await fetch(`${service().url}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key.apiKey }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  type Key = { apiKey: string } | undefined;
  return {
    register: (key: Key, body: unknown) => call(key, 'POST', '/webhooks/endpoints', body),
    endpoints: (key: Key, query = '') => call(key, 'GET', `/webhooks/endpoints${query}`),
    endpoint: (key: Key, id: string) => call(key, 'GET', `/webhooks/endpoints/${id}`),
    remove: (key: Key, id: string) => call(key, 'DELETE', `/webhooks/endpoints/${id}`),
    change: (key: Key, id: string, body: unknown) => call(key, 'PATCH', `/webhooks/endpoints/${id}`, body),
    verify: (key: Key, id: string) => call(key, 'POST', `/webhooks/endpoints/${id}/verify`),
    test: (key: Key, id: string) => call(key, 'POST', `/webhooks/endpoints/${id}/test`),
    rotate: (key: Key, id: string, body: unknown) => call(key, 'POST', `/webhooks/endpoints/${id}/rotate-secret`, body),
    finishRotation: (key: Key, id: string) => call(key, 'POST', `/webhooks/endpoints/${id}/rotate-secret/finish`),
    recover: (key: Key, id: string, body: unknown) => call(key, 'POST', `/webhooks/endpoints/${id}/recover`, body),
    recovery: (key: Key, id: string) => call(key, 'GET', `/webhooks/endpoints/${id}/recover`),
    delivery: (key: Key, id: string) => call(key, 'GET', `/webhooks/deliveries/${id}`),
    redeliver: (key: Key, id: string) => call(key, 'POST', `/webhooks/deliveries/${id}/redeliver`),
    events: (key: Key, query = '') => call(key, 'GET', `/events${query}`),
    deliveries: (key: Key, query = '') => call(key, 'GET', `/webhooks/deliveries${query}`),
  };
}
