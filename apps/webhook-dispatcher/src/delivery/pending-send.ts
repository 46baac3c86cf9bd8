/** `leasedAt` is a time of `clock` before the lease was taken. */
export interface Waiting<Item> {
  readonly item: Item;
  readonly leasedAt: number;
}

/** Neither rejects. */
export interface PendingSend<Item> {
  /** When the request is over. */
  readonly answered: Promise<{ ok: boolean; ms: number }>;
  /** Resolves when its result is written, with a delivery that was leased again and is sent immediately. */
  readonly recorded: Promise<Waiting<Item> | undefined>;
}
