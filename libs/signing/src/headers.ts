/** Header names of every webhook request. Node provides headers in lower case; compare without case. */
export const SIGNATURE_HEADER = 'X-Webhook-Signature';
/** During the rotation of a secret: the signature of the new one. */
export const NEXT_SIGNATURE_HEADER = 'X-Webhook-Signature-Next';
export const ID_HEADER = 'X-Webhook-Id';
export const EVENT_HEADER = 'X-Webhook-Event';
export const TIMESTAMP_HEADER = 'X-Webhook-Timestamp';
export const STANDARD_ID_HEADER = 'webhook-id';
export const STANDARD_TIMESTAMP_HEADER = 'webhook-timestamp';
export const STANDARD_SIGNATURE_HEADER = 'webhook-signature';

/** Headers as Node's `req.headers`, as a plain object with names in any case, or as the `Headers` of fetch. */
export type WebhookHeaders = HeaderFields | FetchHeaders;
export type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;
export interface FetchHeaders {
  get(name: string): string | null;
}

/** All non-empty values of a header, with its name in any case. */
export function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) return [headers.get(name) ?? ''].filter((value) => value !== '');
  const wanted = name.toLowerCase();
  return Object.entries(headers)
    .flatMap(([key, value]) => (key.toLowerCase() === wanted ? (value ?? []) : []))
    .filter((value) => value !== '');
}

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers['get'] === 'function';
