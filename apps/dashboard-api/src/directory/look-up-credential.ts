import type { ApiKeyFact, DeviceFact } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { apiKeys, devices } from '../db/tables';
import { apiKeyFact, deviceFact } from '../domain/facts';

/** Returns keys in any state. The requesting service stores the fact and decides. */
export async function lookUpApiKey(db: Queryable, keyHash: string): Promise<ApiKeyFact | null> {
  const record = await apiKeys.findBy(db, 'byHash', [keyHash]);
  return record ? apiKeyFact(record) : null;
}

export async function lookUpDeviceById(db: Queryable, id: string): Promise<DeviceFact | null> {
  const record = await devices.find(db, id);
  return record ? deviceFact(record) : null;
}

export async function lookUpDevice(db: Queryable, keyHash: string): Promise<DeviceFact | null> {
  const record = await devices.findBy(db, 'byHash', [keyHash]);
  return record ? deviceFact(record) : null;
}
