export interface BesideFloor {
  readonly perSecond: number;
  /** The mean of the floor just before and just after. */
  readonly floorPerSecond: number;
}

export interface BesideFloorOptions {
  /** Measures the floor once. */
  readonly floor: () => Promise<number>;
  /** Until nothing is left of what was measured. */
  readonly rest: () => Promise<void>;
}

/** A rate and the floor of the same minute: how fast this machine is changes by half within a quarter of an hour. */
export async function besideFloor(
  measure: () => Promise<number>,
  { floor, rest }: BesideFloorOptions,
): Promise<BesideFloor> {
  await rest();
  const before = await floor();
  const perSecond = await measure();
  await rest();
  return { perSecond, floorPerSecond: (before + (await floor())) / 2 };
}
