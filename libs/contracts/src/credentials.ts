/** Messages and `WWW-Authenticate` challenges (RFC 9110) of a 401, per kind of credential. */
export const CREDENTIALS = {
  apiKey: {
    header: 'X-Api-Key',
    challenge: 'ApiKey realm="payment-gateway", header="X-Api-Key"',
    refusal: 'The header X-Api-Key is missing or does not contain an active API key.',
  },
  deviceKey: {
    header: 'X-Device-Key',
    challenge: 'DeviceKey realm="payment-gateway", header="X-Device-Key"',
    refusal: 'The header X-Device-Key is missing or does not contain the key of an active device.',
  },
  session: {
    header: 'Authorization',
    challenge: 'Bearer realm="payment-gateway"',
    refusal:
      'The header Authorization is missing or does not contain a valid access token (Bearer). Log in to get a new one.',
  },
} as const;
export type CredentialKind = keyof typeof CREDENTIALS;
