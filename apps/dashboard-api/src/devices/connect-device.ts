import type { Tenant } from '@pay/contracts';
import { hashKey } from '@pay/http';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { newDeviceKey } from './add-device';
import { assertDeviceLimit } from './assert-device-limit';
import { assertReceiversOf } from './assert-receivers-of';
import { begun, type Sim } from '../domain/records';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface ConnectDeviceInput {
  readonly tenant: Tenant;
  readonly name: string;
  readonly sims: readonly Sim[];
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
  await assertDeviceLimit(tx, tenant);
  await assertReceiversOf(tx, tenant, sims);
  const now = deps.now();
  const keyHash = hashKey(deviceKey);
  const fields = {
    id,
    ...tenant,
    name,
    keyHash,
    sims,
    hooks: [],
    isDisabled: false,
    allowsUnsignedTexts: false,
    pairedAt: now,
  };
  const after = begun(fields, now);
  try {
    await storeChange(deps, tx, { kind: 'device', action: 'device.connected', after });
  } catch (error) {
    if (isUniqueViolation(error, 'devices_one_per_hash'))
      throw new Refusal('deviceKey', 'this device key exists already');
    throw error;
  }
  return { deviceId: id, deviceKey };
}
