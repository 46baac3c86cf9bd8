import type { ApiKeyFact, DeviceFact, MerchantFact } from '@pay/contracts';

/**
 * A credential whose merchant is not in the copy is accepted: it may have been issued just before the fact of the
 * merchant arrived.
 */
function isSwitchedOff(merchant: MerchantFact | undefined): boolean {
  return merchant !== undefined && (merchant.deleted || !merchant.isActive);
}

export function mayUseApiKey(key: ApiKeyFact, merchant: MerchantFact | undefined, now: Date): boolean {
  // A revocation applies as soon as it is known. If its time were compared, a slow clock would keep the key valid.
  if (key.deleted || key.isLocked || key.revokedAt !== null || isSwitchedOff(merchant)) return false;
  return key.expiresAt === null || Date.parse(key.expiresAt) > now.getTime();
}

export function mayUseDevice(device: DeviceFact, merchant: MerchantFact | undefined): boolean {
  return !device.deleted && !device.isDisabled && !isSwitchedOff(merchant);
}
