import { statement, type Transaction } from '@pay/persistence';

export interface DevicePairing {
  readonly id: string;
  readonly deviceId: string;
  readonly codeHash: string;
  readonly wrongTries: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /** Used, tried out, or ended by a newer one or with its device; null for one that merely expired. */
  readonly closedAt: Date | null;
}

const INSERT = statement(
  'device-pairing-insert',
  `insert into device_pairings (id, device_id, code_hash, created_by, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)`,
);
const DEVICE_OF = statement(
  'device-pairing-device',
  'select device_id as "deviceId" from device_pairings where id = $1',
);
const LOCK = statement(
  'device-pairing-lock',
  `select id, device_id as "deviceId", code_hash as "codeHash", wrong_tries as "wrongTries", created_by as "createdBy",
          created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt", closed_at as "closedAt"
     from device_pairings where id = $1 for update`,
);
const CLOSE = statement(
  'device-pairings-close',
  'update device_pairings set closed_at = $2 where device_id = $1 and closed_at is null',
);
const USE = statement('device-pairing-use', 'update device_pairings set used_at = $2, closed_at = $2 where id = $1');
const COUNT_WRONG_TRY = statement(
  'device-pairing-wrong-try',
  `update device_pairings set wrong_tries = wrong_tries + 1, closed_at = case when wrong_tries + 1 >= $3 then $2::timestamptz end
    where id = $1`,
);

export async function insertPairing(
  tx: Transaction,
  pairing: Pick<DevicePairing, 'id' | 'deviceId' | 'codeHash' | 'createdBy' | 'createdAt' | 'expiresAt'>,
): Promise<void> {
  const { id, deviceId, codeHash, createdBy, createdAt, expiresAt } = pairing;
  await tx.execute(INSERT, [id, deviceId, codeHash, createdBy, createdAt, expiresAt]);
}

/** The device that a pairing is for: whoever changes both locks the device first. */
export async function deviceOfPairing(tx: Transaction, id: string): Promise<string | undefined> {
  return (await tx.query<{ deviceId: string }>(DEVICE_OF, [id]))[0]?.deviceId;
}

export async function lockPairing(tx: Transaction, id: string): Promise<DevicePairing | undefined> {
  return (await tx.query<DevicePairing>(LOCK, [id]))[0];
}

export async function closePairingsOf(tx: Transaction, deviceId: string, at: Date): Promise<void> {
  await tx.execute(CLOSE, [deviceId, at]);
}

export async function usePairing(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.execute(USE, [id, at]);
}

/** The last of the tries closes the pairing. */
export async function countWrongTry(tx: Transaction, id: string, at: Date, mostTries: number): Promise<void> {
  await tx.execute(COUNT_WRONG_TRY, [id, at, mostTries]);
}
