/**
 * Names of the headers that every webhook request carries. Node hands headers over in lower case; compare without case.
 */
export const SIGNATURE_HEADER = 'X-Webhook-Signature';
/** While a secret is being rotated: the signature of the new one. */
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

/** Every value of a header that is not empty, whatever the case of its name. */
export function valuesOf(headers: WebhookHeaders, name: string): readonly string[] {
  if (isFetchHeaders(headers)) return [headers.get(name) ?? ''].filter((value) => value !== '');
  const wanted = name.toLowerCase();
  return Object.entries(headers)
    .flatMap(([key, value]) => (key.toLowerCase() === wanted ? (value ?? []) : []))
    .filter((value) => value !== '');
}

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers['get'] === 'function';
