/** By replica: its requests per second, and when it said so (seconds since 1970, by Postgres's clock). */
export type Demands = Readonly<Record<string, readonly [perSecond: number, at: number]>>;

/** Whoever has asked at all keeps a little, or it could never ask for more. */
const LEAST = 0.01;

/**
 * The part of a subject's limit that is this replica's. What nobody asks for is divided equally; when more is asked for
 * than there is, everybody gets a part like its part of the requests. Over all replicas that asked lately this makes
 * one.
 */
export function shareOf(demands: Demands, replica: string, refill: number): number {
  const all = Object.values(demands);
  const total = all.reduce((sum, [perSecond]) => sum + perSecond, 0);
  const mine = demands[replica]?.[0] ?? 0;
  const granted = total < refill ? mine + (refill - total) / Math.max(1, all.length) : (refill * mine) / total;
  return Math.min(1, Math.max(LEAST, granted / refill));
}
