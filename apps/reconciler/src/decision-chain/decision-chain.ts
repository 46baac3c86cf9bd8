import type { Environment } from '@pay/contracts';
import type { EncryptionKey } from '@pay/runtime';
import { isSameSecret, macOf } from '@pay/signing';

/** HMAC-SHA-256, in hex, and the key that it was made with. */
export interface Signed {
  readonly keyId: string;
  readonly mac: string;
}

/** The position of an entry in its tenant's chain, and the input of its link. */
export interface Place {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly position: bigint;
  /** The link of the entry before it; null for the first. */
  readonly previous: string | null;
  /** Of the entry's record. */
  readonly mac: string;
}

/** The last entry of a chain that retention has deleted. */
export interface Cut {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly position: bigint;
  readonly link: string;
  /** When the latest of the deleted entries was decided. */
  readonly through: Date;
}

/** Operations with the signing keys, which the database does not know. */
export interface DecisionChain {
  sign(record: string): Signed;
  link(place: Place): Signed;
  /** Throws for a key that is not configured: its signatures can be neither confirmed nor rejected. */
  isSigned(record: string, signed: Signed): boolean;
  isLinked(place: Place, link: Signed): boolean;
  signCut(cut: Cut): Signed;
  isCut(cut: Cut, signed: Signed): boolean;
}

/** The first key signs; the others only verify older signatures. */
export function createDecisionChain(keys: readonly EncryptionKey[]): DecisionChain {
  const [current] = keys;
  if (current === undefined) throw new RangeError('at least one key is needed');
  const secrets = new Map(keys.map(({ id, key }) => [id, key.toString('hex')]));
  const macWith = (keyId: string, text: string): string => {
    const secret = secrets.get(keyId);
    if (secret === undefined) throw new Error(`the key ${keyId} of a decision is not configured`);
    return macOf(secret, text).toString('hex');
  };
  const sign = (text: string): Signed => ({ keyId: current.id, mac: macWith(current.id, text) });
  const fits = (text: string, { keyId, mac }: Signed): boolean => isSameSecret(mac, macWith(keyId, text));
  return {
    sign: (record) => sign(textOfRecord(record)),
    link: (place) => sign(textOfPlace(place)),
    isSigned: (record, signed) => fits(textOfRecord(record), signed),
    isLinked: (place, link) => fits(textOfPlace(place), link),
    signCut: (cut) => sign(textOfCut(cut)),
    isCut: (cut, signed) => fits(textOfCut(cut), signed),
  };
}

/** Different prefixes, so that a signature of one kind is never valid for another. */
function textOfRecord(record: string): string {
  return `decision v1\n${record}`;
}

function textOfPlace({ merchantId, environment, position, previous, mac }: Place): string {
  return ['link v1', merchantId, environment, position.toString(), previous ?? '', mac].join('\n');
}

function textOfCut({ merchantId, environment, position, link, through }: Cut): string {
  return ['cut v1', merchantId, environment, position.toString(), link, through.toISOString()].join('\n');
}
