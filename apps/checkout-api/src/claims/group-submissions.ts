import type { Claim } from './claim-repository';

export interface GroupedSubmissions {
  /** A statement can write a row only once, so each round contains a claim at most once; in order of submission. */
  readonly rounds: readonly (readonly Claim[])[];
  /** Intents with several TrxIDs in this group. */
  readonly withOtherTrxIds: readonly string[];
  /** The submission that is stored for the given one. */
  readonly storedAs: (given: Claim) => Claim;
}

const MINUTE_MS = 60_000;

/**
 * Orders submissions by their time, because an earlier one may be in time when a later one is not. The first round
 * contains every claim: further rounds lock no other rows, so they cannot deadlock.
 */
export function groupSubmissions(claims: readonly Claim[]): GroupedSubmissions {
  const latestOfIntent = new Map<string, number>();
  const merged: Claim[] = [];
  const places = new Map<Claim, number>();
  for (const claim of claims.toSorted((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime())) {
    const place = latestOfIntent.get(claim.intentId) ?? merged.length;
    const before = merged[place];
    const isRepeat = before !== undefined && repeats(claim, before);
    if (isRepeat) merged[place] = { ...before, payerDigits: before.payerDigits ?? claim.payerDigits };
    else latestOfIntent.set(claim.intentId, merged.push(claim) - 1);
    places.set(claim, isRepeat ? place : merged.length - 1);
  }

  const rounds: Claim[][] = [];
  const submissions = new Map<string, number>();
  const trxIds = new Map<string, string>();
  const withOtherTrxIds = new Set<string>();
  for (const claim of merged) {
    const key = keyOf(claim);
    const round = submissions.get(key) ?? 0;
    submissions.set(key, round + 1);
    (rounds[round] ??= []).push(claim);
    if ((trxIds.get(claim.intentId) ?? claim.trxId) !== claim.trxId) withOtherTrxIds.add(claim.intentId);
    trxIds.set(claim.intentId, claim.trxId);
  }
  return {
    rounds,
    withOtherTrxIds: [...withOtherTrxIds],
    storedAs: (given) => merged[places.get(given) ?? -1] ?? given,
  };
}

export function keyOf({ intentId, trxId }: Claim): string {
  return `${intentId} ${trxId}`;
}

/** Claims are decided by the minute. */
function repeats(claim: Claim, before: Claim): boolean {
  const digits = claim.payerDigits ?? before.payerDigits;
  return (
    claim.trxId === before.trxId && minuteOf(claim) === minuteOf(before) && (before.payerDigits ?? digits) === digits
  );
}

function minuteOf({ submittedAt }: Claim): number {
  return Math.floor(submittedAt.getTime() / MINUTE_MS);
}
