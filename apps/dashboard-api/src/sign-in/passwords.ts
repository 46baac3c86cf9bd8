import { BusinessError } from '@pay/contracts';
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { randomBase62 } from '@pay/directory';
import { semaphore } from '@pay/runtime';

/** 19 MiB, two passes: about 60 ms. Argon2id is the package's own choice; the column refuses anything else. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Uses half of the threads of a Node process for such work and waits about two seconds. An owner may use a quarter of
 * the waiting places, so that one client cannot block all log-ins.
 */
const inTurn = semaphore({
  mostAtOnce: 2,
  waiting: { most: 64, mostPerOwner: 16, refuse: () => new BusinessError('SERVICE_UNAVAILABLE', undefined, 1) },
});

/** $argon2id$v=19$m=19456,t=2,p=1$... */
const PARAMETERS = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** Verified for unknown accounts, so that they take as long as existing ones. */
const DECOY = [
  '$argon2id$v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  unpadded(randomBytes(16)),
  unpadded(randomBytes(32)),
].join('$');

/** `owner` for commands of the operator and seeds. */
export const OPERATOR = 'operator';

/**
 * Throws SERVICE_UNAVAILABLE if too many calls wait. `owner` is the client address or the person who causes the work.
 */
export function hashPassword(password: string, owner: string): Promise<string> {
  return inTurn(() => hash(normalised(password), COST), owner);
}

/** Without a hash it returns false after the same work, so that timing does not reveal unknown accounts. */
export function isPassword(passwordHash: string | undefined, password: string, owner: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash ?? DECOY, normalised(password)), owner);
}

/** True if the hash was created with lower cost parameters. */
export function isOutdated(passwordHash: string): boolean {
  const [, memoryCost = 0, timeCost = 0] = PARAMETERS.exec(passwordHash) ?? [];
  return Number(memoryCost) < COST.memoryCost || Number(timeCost) < COST.timeCost;
}

/** 24 letters and digits: 142 bits. */
export function newPassword(): string {
  return randomBase62(24);
}

/** Keyboards encode some Bangla letters as different code points. */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
