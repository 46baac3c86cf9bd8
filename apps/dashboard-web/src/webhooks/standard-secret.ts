/** The secret as Standard Webhooks libraries expect it: `whsec_` and the base64 of its bytes. */
export function standardWebhooksSecret(secret: string): string {
  const bytes = new TextEncoder().encode(secret);
  return `whsec_${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
