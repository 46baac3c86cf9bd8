/** `leasedAt` is a time of `clock` from before the lease, so that the lease never appears longer than it is. */
export interface Waiting<Item> {
  readonly item: Item;
  readonly leasedAt: number;
}

/** Neither promise rejects. */
export interface PendingSend<Item> {
  /** Resolves when the request has ended. */
  readonly answered: Promise<{ ok: boolean; ms: number }>;
  /** Resolves when the result is stored, with the delivery if it was leased again to be sent immediately. */
  readonly recorded: Promise<Waiting<Item> | undefined>;
}
