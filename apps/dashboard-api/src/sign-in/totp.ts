import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const SHAPE = { issuer: 'Payment Gateway', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS };
const SECRET_BYTES = 20;

/** In base32, as people can type it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URL that authenticator apps read from a QR code. */
export function totpUri(secret: string, label: string): string {
  return new TOTP({ ...SHAPE, label, secret }).toString();
}

/**
 * The 30 seconds, counted from 1970, that a code belongs to: those of now, just before or just after. Undefined for any
 * other code.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...SHAPE, token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
