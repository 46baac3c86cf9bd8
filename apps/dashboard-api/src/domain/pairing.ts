export const PAIRING_SECONDS = 5 * 60;
export const MOST_WRONG_TRIES = 5;

/** Of REFERENCE_ALPHABET. Example of a code: 7KQ4MRXP, 37 bits, with at most five attempts. */
export const CODE_LENGTH = 8;

export interface PairingOffer {
  /** Public URL of the API for phones. Example: https://api.shop.example */
  readonly apiUrl: string;
  readonly pairingId: string;
  readonly code: string;
}

/** Content of the QR code, see docs/devices.md. `v` is the version of the format. */
export function qrPayload({ apiUrl, pairingId, code }: PairingOffer): string {
  return JSON.stringify({ v: 1, url: apiUrl.replace(/\/+$/, ''), path: '/v1/devices/pair', pairingId, code });
}

export function isOpen(pairing: { readonly closedAt: Date | null; readonly expiresAt: Date }, now: Date): boolean {
  return pairing.closedAt === null && pairing.expiresAt > now;
}
