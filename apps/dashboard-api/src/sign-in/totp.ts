import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const SHAPE = { issuer: 'Payment Gateway', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS };
const SECRET_BYTES = 20;

/** Base32, so that people can type it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The format that authenticator apps read from a QR code. */
export function totpUri(secret: string, label: string): string {
  return new TOTP({ ...SHAPE, label, secret }).toString();
}

/** The time step (30 s since 1970) of a code: the current one, the previous or the next. Undefined for other codes. */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...SHAPE, token: code, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
