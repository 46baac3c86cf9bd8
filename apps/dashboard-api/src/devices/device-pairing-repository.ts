import { firstRow, inTransaction } from '@pay/persistence';

export interface DevicePairing {
  readonly id: string;
  readonly deviceId: string;
  readonly codeHash: string;
  readonly wrongTries: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /**
   * Set after a pairing, after too many wrong codes, by a newer pairing, or by the end of the device. Null for a
   * pairing that only expired.
   */
  readonly closedAt: Date | null;
}

export const insertPairing = inTransaction.command(
  'device-pairing-insert',
  `insert into device_pairings (id, device_id, code_hash, created_by, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
  (pairing: Omit<DevicePairing, 'wrongTries' | 'usedAt' | 'closedAt'>) => [
    ...[pairing.id, pairing.deviceId, pairing.codeHash, pairing.createdBy, pairing.createdAt, pairing.expiresAt],
  ],
);

const COLUMNS = `id, device_id as "deviceId", code_hash as "codeHash", wrong_tries as "wrongTries",
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt",
  closed_at as "closedAt"`;

/** Not locked. Every change of a pairing locks its device first. */
export const findPairing = firstRow<DevicePairing, [id: string]>(
  'device-pairing-find',
  `select ${COLUMNS} from device_pairings where id = $1`,
);

export const lockPairing = inTransaction.firstRow<DevicePairing, [id: string]>(
  'device-pairing-lock',
  `select ${COLUMNS} from device_pairings where id = $1 for update`,
);

export const closePairingsOf = inTransaction.command<[deviceId: string, at: Date]>(
  'device-pairings-close',
  'update device_pairings set closed_at = $2 where device_id = $1 and closed_at is null',
);

export const usePairing = inTransaction.command<[id: string, at: Date]>(
  'device-pairing-use',
  'update device_pairings set used_at = $2, closed_at = $2 where id = $1',
);

/** The last permitted attempt closes the pairing. */
export const countWrongTry = inTransaction.command<[id: string, at: Date, mostTries: number]>(
  'device-pairing-wrong-try',
  `update device_pairings set wrong_tries = wrong_tries + 1, closed_at = case when wrong_tries + 1 >= $3 then $2::timestamptz end
    where id = $1`,
);
