/** Names of the headers that every webhook request carries. Node hands headers over in lower case; compare without case. */
export const SIGNATURE_HEADER = 'X-Webhook-Signature';
/** While a secret is being rotated: the signature of the new one. */
export const NEXT_SIGNATURE_HEADER = 'X-Webhook-Signature-Next';
export const ID_HEADER = 'X-Webhook-Id';
export const EVENT_HEADER = 'X-Webhook-Event';
export const TIMESTAMP_HEADER = 'X-Webhook-Timestamp';
export const STANDARD_ID_HEADER = 'webhook-id';
export const STANDARD_TIMESTAMP_HEADER = 'webhook-timestamp';
export const STANDARD_SIGNATURE_HEADER = 'webhook-signature';

/** Headers as Node's `req.headers` or as a plain object; names in any case. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header whatever the case of its name; undefined when it is missing, empty or given more than once. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === wanted ? (value ?? []) : []));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
