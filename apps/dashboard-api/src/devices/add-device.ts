import type { Tenant } from '@pay/contracts';
import { newCredential } from '@pay/directory';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { assertDeviceLimit } from './assert-device-limit';
import { assertReceiversOf } from './assert-receivers-of';
import { begun, type DeviceRecord, type Sim } from '../domain/records';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface AddDeviceInput {
  readonly tenant: Tenant;
  readonly name: string;
  readonly sims: readonly Sim[];
}

/** The generated key is not returned. The phone gets a key by pairing. */
export async function addDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { tenant, name, sims }: AddDeviceInput,
): Promise<DeviceRecord> {
  await assertDeviceLimit(tx, tenant);
  await assertReceiversOf(tx, tenant, sims);
  const keyHash = hashKey(newDeviceKey(tenant));
  const fields = {
    id: deps.newId(),
    ...tenant,
    name,
    keyHash,
    sims,
    hooks: [],
    isDisabled: false,
    allowsUnsignedTexts: false,
    pairedAt: null,
  };
  const after = begun(fields, deps.now());
  await storeChange(deps, tx, { kind: 'device', action: 'device.added', after });
  return after;
}

export function newDeviceKey({ environment }: Pick<Tenant, 'environment'>): string {
  return newCredential(environment === 'LIVE' ? 'dk_live_' : 'dk_test_');
}
