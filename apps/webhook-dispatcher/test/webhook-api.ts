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
    const response = await fetch(`${service().url}/v1/webhooks${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key.apiKey }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  type Key = { apiKey: string } | undefined;
  return {
    register: (key: Key, body: unknown) => call(key, 'POST', '/endpoints', body),
    endpoints: (key: Key, query = '') => call(key, 'GET', `/endpoints${query}`),
    endpoint: (key: Key, id: string) => call(key, 'GET', `/endpoints/${id}`),
    remove: (key: Key, id: string) => call(key, 'DELETE', `/endpoints/${id}`),
    deliveries: (key: Key, query = '') => call(key, 'GET', `/deliveries${query}`),
  };
}
