/** By replica: its requests per second, and the time of its report (Unix seconds of Postgres's clock). */
export type Demands = Readonly<Record<string, readonly [perSecond: number, at: number]>>;

/** Without a minimum share, a replica could never report that it has more requests. */
const LEAST = 0.01;

/**
 * This replica's share of the limit of a subject: in proportion to its requests if all replicas together exceed the
 * limit, else with an equal part of the rest. The shares of all recently active replicas add up to one.
 */
export function shareOf(demands: Demands, replica: string, refill: number): number {
  const all = Object.values(demands);
  const total = all.reduce((sum, [perSecond]) => sum + perSecond, 0);
  const mine = demands[replica]?.[0] ?? 0;
  const granted = total < refill ? mine + (refill - total) / Math.max(1, all.length) : (refill * mine) / total;
  return Math.min(1, Math.max(LEAST, granted / refill));
}
