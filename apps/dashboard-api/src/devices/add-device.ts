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
export async function addDevice(deps: ChangeDeps, tx: Transaction, input: AddDeviceInput): Promise<DeviceRecord> {
  const deviceKey = newDeviceKey(input.tenant);
  return storeNewDevice(deps, tx, 'device.added', { ...input, id: deps.newId(), deviceKey, isPaired: false });
}

interface NewDevice extends AddDeviceInput {
  readonly id: string;
  readonly deviceKey: string;
  readonly isPaired: boolean;
}

export async function storeNewDevice(
  deps: ChangeDeps,
  tx: Transaction,
  action: string,
  { id, tenant, name, sims, deviceKey, isPaired }: NewDevice,
): Promise<DeviceRecord> {
  await assertDeviceLimit(tx, tenant);
  await assertReceiversOf(tx, tenant, sims);
  const now = deps.now();
  const fields = {
    id,
    ...tenant,
    name,
    keyHash: hashKey(deviceKey),
    sims,
    hooks: [],
    isDisabled: false,
    allowsUnsignedTexts: false,
    pairedAt: isPaired ? now : null,
  };
  const after = begun(fields, now);
  await storeChange(deps, tx, { kind: 'device', action, after });
  return after;
}

export function newDeviceKey({ environment }: Pick<Tenant, 'environment'>): string {
  return newCredential(environment === 'LIVE' ? 'dk_live_' : 'dk_test_');
}
