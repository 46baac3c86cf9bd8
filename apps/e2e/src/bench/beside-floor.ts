export interface BesideFloor {
  readonly perSecond: number;
  /** The mean of the floor around it. */
  readonly floorPerSecond: number;
}

/** How fast this machine is changes by a tenth within seconds, and by half within a quarter of an hour. */
const ROUNDS = 3;

export interface BesideFloorOptions {
  /** Measures the floor once. */
  readonly floor: () => Promise<number>;
  /** Waits until all work of the measurement is done. */
  readonly rest: () => Promise<void>;
}

/**
 * A rate and the floor of the same minute, each the mean of several that were measured in turn, floor first and last.
 */
export async function besideFloor(
  measure: () => Promise<number>,
  { floor, rest }: BesideFloorOptions,
): Promise<BesideFloor> {
  const rates: number[] = [];
  await rest();
  const floors = [await floor()];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push(await measure());
    await rest();
    floors.push(await floor());
  }
  return { perSecond: mean(rates), floorPerSecond: mean(floors) };
}

function mean(rates: readonly number[]): number {
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
