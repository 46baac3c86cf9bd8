/** `leasedAt` is a time of `clock` before the lease was taken. */
export interface Waiting<Item> {
  readonly item: Item;
  readonly leasedAt: number;
}

/** Neither rejects. */
export interface PendingSend<Item> {
  /** When the request is over. */
  readonly answered: Promise<{ ok: boolean; ms: number }>;
  /** When its result is written; with what is leased again by it, to be sent at once. */
  readonly recorded: Promise<Waiting<Item> | undefined>;
}
