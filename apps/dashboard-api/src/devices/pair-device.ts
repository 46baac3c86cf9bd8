import type { PairDeviceRequest, PairedDeviceResponse } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Database, Transaction } from '@pay/persistence';
import { newDeviceKey } from './add-device';
import { isPassword } from '../sign-in/passwords';
import { countWrongTry, findPairing, lockPairing, usePairing, type DevicePairing } from './device-pairing-repository';
import { devices } from '../db/tables';
import { isOpen, MOST_WRONG_TRIES } from '../domain/pairing';
import { changed } from '../domain/records';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface PairDeviceDeps extends Pick<ChangeDeps, 'messaging' | 'now' | 'newId'> {
  readonly db: Pick<Database, 'query' | 'execute' | 'transaction'>;
}

/**
 * Issues a new key once and revokes the previous one; undefined for an invalid pairing. A pairing allows five attempts
 * in five minutes, so it needs no rate limit.
 */
export async function pairDevice(
  deps: PairDeviceDeps,
  { pairingId, code }: PairDeviceRequest,
): Promise<PairedDeviceResponse | undefined> {
  const known = await findPairing(deps.db, pairingId);
  if (!known || !isOpen(known, deps.now())) return undefined;
  // Verification takes long, so it runs before the transaction, which would hold a connection and a lock.
  const isRight = await isPassword(known.codeHash, code, known.deviceId);
  return deps.db.transaction((tx) => tryCode(deps, tx, known, isRight));
}

/**
 * Throwing would roll back the count of wrong codes. The lock serialises concurrent attempts, so that a valid code
 * after five wrong ones is refused.
 */
async function tryCode(
  deps: PairDeviceDeps,
  tx: Transaction,
  { id: pairingId, deviceId, codeHash }: DevicePairing,
  isRight: boolean,
): Promise<PairedDeviceResponse | undefined> {
  // Lock order: the device before its pairings, as in every other change.
  const device = await devices.lock(tx, deviceId);
  const pairing = device && (await lockPairing(tx, pairingId));
  const now = deps.now();
  if (!pairing || !isOpen(pairing, now) || device.isDisabled || device.deletedAt !== null) return undefined;
  if (!isRight || pairing.codeHash !== codeHash) {
    await countWrongTry(tx, pairingId, now, MOST_WRONG_TRIES);
    return undefined;
  }
  const deviceKey = newDeviceKey(device);
  const after = changed(device, { keyHash: hashKey(deviceKey), pairedAt: now }, now);
  await usePairing(tx, pairingId, now);
  const actor = `pairing:${pairingId}`;
  await storeChange({ ...deps, actor }, tx, { kind: 'device', action: 'device.paired', before: device, after });
  return { deviceId: device.id, deviceKey, environment: device.environment, name: device.name };
}
