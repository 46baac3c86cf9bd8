/**
 * A sequence number and the epoch of the database that counted it. The epoch grows when that database is promoted or
 * restored, because numbers of lost commits are then used again. No epoch: unknown, from a publisher or a row of the
 * version before epochs.
 */
export interface SequencePair {
  readonly epoch?: number | null | undefined;
  readonly sequence: number;
}

/**
 * Negative when `one` is older, 0 when both are the same, positive when it is newer. The epoch decides when both have
 * one. Otherwise the numbers decide alone, as they did before epochs: a version that does not know epochs may have
 * written either side.
 */
export function compareSequences(one: SequencePair, other: SequencePair): number {
  const [mine, theirs] = [one.epoch ?? null, other.epoch ?? null];
  if (mine !== null && theirs !== null && mine !== theirs) return mine - theirs;
  return one.sequence - other.sequence;
}

/** Whether both are the same pair, so that two different contents under them are a conflict. */
export function isSamePair(one: SequencePair, other: SequencePair): boolean {
  return (one.epoch ?? null) === (other.epoch ?? null) && one.sequence === other.sequence;
}

/** The greatest epoch known of one aggregate: a side without epoch does not erase the other's. */
export function latestEpoch(one: SequencePair, other: SequencePair): number | null {
  const known = [one.epoch, other.epoch].filter((epoch) => epoch !== null && epoch !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}

/**
 * A 32-bit FNV-1a hash of some fields of a content, to be kept beside its pair where the content itself is not kept.
 * Name the fields instead of hashing a whole object: versions of a reader that know different fields must agree.
 */
export function contentHash(fields: readonly (string | number | boolean | null)[]): number {
  const text = JSON.stringify(fields);
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash | 0;
}
