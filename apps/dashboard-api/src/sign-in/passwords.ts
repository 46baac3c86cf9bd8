import { BusinessError } from '@pay/contracts';
import { randomBytes, randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { semaphore } from '@pay/runtime';

/** 19 MiB, two passes: about 60 ms. Argon2id is the package's own choice; the column refuses anything else. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;

/**
 * Half of the threads that a Node process has for such work, and about two seconds of waiting. A quarter of the waiting
 * for each owner, so that one client cannot keep all others from logging in.
 */
const inTurn = semaphore({
  mostAtOnce: 2,
  waiting: { most: 64, mostPerOwner: 16, refuse: () => new BusinessError('SERVICE_UNAVAILABLE', undefined, 1) },
});

/** $argon2id$v=19$m=19456,t=2,p=1$... */
const PARAMETERS = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;

/** A hash of no password at the usual cost, for unknown accounts. */
const DECOY = [
  '$argon2id$v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  unpadded(randomBytes(16)),
  unpadded(randomBytes(32)),
].join('$');

/** Owner of the work that the operator's commands and seeds cause. */
export const OPERATOR = 'operator';

/** Throws SERVICE_UNAVAILABLE when too many wait. `owner`: the client address or the person who causes the work. */
export function hashPassword(password: string, owner: string): Promise<string> {
  return inTurn(() => hash(normalised(password), COST), owner);
}

/** False for no hash at all, after as much work as for a real one. `owner` and errors as in `hashPassword`. */
export function isPassword(passwordHash: string | undefined, password: string, owner: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash ?? DECOY, normalised(password)), owner);
}

/** True for a hash that was made when hashing was cheaper. */
export function isOutdated(passwordHash: string): boolean {
  const [, memoryCost = 0, timeCost = 0] = PARAMETERS.exec(passwordHash) ?? [];
  return Number(memoryCost) < COST.memoryCost || Number(timeCost) < COST.timeCost;
}

/** 24 letters and digits: 142 bits. */
export function newPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Two keyboards spell one Bangla letter differently. */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
