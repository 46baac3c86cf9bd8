import type { ApiKeyFact, DeviceFact, MerchantFact } from '@pay/contracts';

/**
 * A credential whose merchant is not in the copy is let in: it may have been issued a moment before the merchant's own
 * fact came.
 */
function isSwitchedOff(merchant: MerchantFact | undefined): boolean {
  return merchant !== undefined && (merchant.deleted || !merchant.isActive);
}

/** Whether the holder of this API key may act now. */
export function mayUseApiKey(key: ApiKeyFact, merchant: MerchantFact | undefined, now: Date): boolean {
  // A revocation holds from the moment it is known: comparing its time would let a slow clock keep the key alive.
  if (key.deleted || key.isLocked || key.revokedAt !== null || isSwitchedOff(merchant)) return false;
  return key.expiresAt === null || Date.parse(key.expiresAt) > now.getTime();
}

/** Whether this device may forward SMS. */
export function mayUseDevice(device: DeviceFact, merchant: MerchantFact | undefined): boolean {
  return !device.deleted && !device.isDisabled && !isSwitchedOff(merchant);
}
