export type Json = Readonly<Record<string, unknown>>;
export type Call = (method: string, path: string, body?: Json) => Promise<Json>;

/** Uses the device key for routes of phones and the API key for all others. */
export function callerOf(
  baseUrl: string,
  { apiKey, deviceKey }: { readonly apiKey: string; readonly deviceKey: string },
): Call {
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

export function textOf(json: Json, field: string): string {
  const value = json[field];
  if (typeof value !== 'string') throw new Error(`The response has no ${field}: ${JSON.stringify(json)}`);
  return value;
}
