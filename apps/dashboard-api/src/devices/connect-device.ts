import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { newDeviceKey, storeNewDevice, type AddDeviceInput } from './add-device';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

export interface ConnectDeviceInput extends AddDeviceInput {
  /** Set by the caller when seeding; otherwise generated. */
  readonly id?: string | undefined;
  readonly deviceKey?: string | undefined;
}

/** The key is returned only once, and stored as SHA-256. */
export async function connectDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { tenant, name, sims, id = deps.newId(), deviceKey = newDeviceKey(tenant) }: ConnectDeviceInput,
): Promise<{ deviceId: string; deviceKey: string }> {
  try {
    await storeNewDevice(deps, tx, 'device.connected', { id, tenant, name, sims, deviceKey, isPaired: true });
  } catch (error) {
    if (isUniqueViolation(error, 'devices_one_per_hash'))
      throw new Refusal('deviceKey', 'this device key exists already');
    throw error;
  }
  return { deviceId: id, deviceKey };
}
