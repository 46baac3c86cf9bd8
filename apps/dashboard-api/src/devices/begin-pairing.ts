import type { Transaction } from '@pay/persistence';
import { hashPassword } from '../sign-in/passwords';
import { newPairingCode, qrSvg } from './pairing-code';
import { closePairingsOf, insertPairing } from './device-pairing-repository';
import { PAIRING_SECONDS, qrPayload } from '../domain/pairing';
import { lockRecord } from '../changes/lock-record';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

export interface BegunPairing {
  readonly pairingId: string;
  readonly code: string;
  readonly expiresAt: Date;
  readonly qrPayload: string;
  readonly qrSvg: string;
}

export interface HashedCode {
  readonly code: string;
  readonly codeHash: string;
}

/** Hashing takes long, so it runs before the transaction, which would hold a connection and a lock. */
export async function newHashedCode(userId: string): Promise<HashedCode> {
  const code = newPairingCode();
  return { code, codeHash: await hashPassword(code, userId) };
}

/** The code is returned only once, and stored as a hash. A new pairing closes the previous one of the device. */
export async function beginPairing(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, userId, apiUrl, code, codeHash }: { deviceId: string; userId: string; apiUrl: string } & HashedCode,
): Promise<BegunPairing> {
  const device = await lockRecord(tx, 'device', deviceId);
  if (device.isDisabled) throw new Refusal('device', 'this device is disabled', 'DEVICE_DISABLED');
  const { merchantId, environment } = device;
  const now = deps.now();
  const pairingId = deps.newId();
  const expiresAt = new Date(now.getTime() + PAIRING_SECONDS * 1_000);
  await closePairingsOf(tx, deviceId, now);
  await insertPairing(tx, { id: pairingId, deviceId, codeHash, createdBy: userId, createdAt: now, expiresAt });
  await recordAction(deps, tx, {
    action: 'device.pairing_begun',
    subjectId: deviceId,
    merchantId,
    environment,
    after: { pairingId, expiresAt },
  });
  const payload = qrPayload({ apiUrl, pairingId, code });
  return { pairingId, code, expiresAt, qrPayload: payload, qrSvg: await qrSvg(payload) };
}
