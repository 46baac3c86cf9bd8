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
 * Issues a new key of the device for a valid code, once, and revokes its previous key; undefined for an invalid
 * pairing. A pairing is valid for five minutes and five attempts, so it needs no rate limit.
 */
export async function pairDevice(
  deps: PairDeviceDeps,
  { pairingId, code }: PairDeviceRequest,
): Promise<PairedDeviceResponse | undefined> {
  const known = await findPairing(deps.db, pairingId);
  if (!known || !isOpen(known, deps.now())) return undefined;
  // Verified before the transaction, which would hold a connection and the device meanwhile.
  const isRight = await isPassword(known.codeHash, code, known.deviceId);
  return deps.db.transaction((tx) => tryCode(deps, tx, known, isRight));
}

/**
 * Answers instead of throwing: a wrong try must be counted. The lock puts concurrent tries in order, so that a right
 * code after five wrong ones is refused.
 */
async function tryCode(
  deps: PairDeviceDeps,
  tx: Transaction,
  { id: pairingId, deviceId, codeHash }: DevicePairing,
  isRight: boolean,
): Promise<PairedDeviceResponse | undefined> {
  // The device is locked first, as in every change of a device and its pairings.
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
