import { MAX_DEVICES, type Tenant } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { devices } from '../db/tables';
import { lockMerchant } from '../changes/lock-record';
import { Refusal } from '../changes/refusal';

/** Locks the merchant, which prevents two requests from counting the same devices. */
export async function assertDeviceLimit(tx: Transaction, { merchantId, environment }: Tenant): Promise<void> {
  await lockMerchant(tx, merchantId);
  if ((await devices.countBy(tx, 'enabled', [merchantId, environment])) >= MAX_DEVICES)
    throw new Refusal('device', `at most ${MAX_DEVICES} devices can be enabled`, 'DEVICE_LIMIT_REACHED');
}
