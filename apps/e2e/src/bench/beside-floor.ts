export interface BesideFloor {
  readonly perSecond: number;
  /** Mean of the floors before and after. */
  readonly floorPerSecond: number;
}

/** The speed of a machine varies by a tenth within seconds, and by half within a quarter of an hour. */
const ROUNDS = 3;

export interface BesideFloorOptions {
  readonly floor: () => Promise<number>;
  /** Waits until the work of the measurement is done. */
  readonly rest: () => Promise<void>;
}

/** Measures rate and floor alternately, with a floor first and last. Returns the mean of each. */
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
