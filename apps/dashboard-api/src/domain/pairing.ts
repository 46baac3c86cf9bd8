export const PAIRING_SECONDS = 5 * 60;
export const MOST_WRONG_TRIES = 5;

/** Without 0 and O, 1, I and L. Example of a code: 7KQ4MZ2P, 39 bits, of which nobody gets to try more than five. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
export const CODE_LENGTH = 8;

export interface PairingOffer {
  /** Where phones reach the API. Example: https://api.shop.example */
  readonly apiUrl: string;
  readonly pairingId: string;
  readonly code: string;
}

/** What the QR says to the phone's app, as docs/devices.md tells. `v` is the form of this text. */
export function qrPayload({ apiUrl, pairingId, code }: PairingOffer): string {
  return JSON.stringify({ v: 1, url: apiUrl.replace(/\/+$/, ''), path: '/v1/devices/pair', pairingId, code });
}

export function isOpen(pairing: { readonly closedAt: Date | null; readonly expiresAt: Date }, now: Date): boolean {
  return pairing.closedAt === null && pairing.expiresAt > now;
}
