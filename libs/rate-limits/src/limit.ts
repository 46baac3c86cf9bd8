/** `count` requests in `seconds` per subject. */
export interface Limit {
  /** Name from a closed set, used as a metric label. Example: `api_key_live`. */
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

export function refillOf({ count, seconds }: Limit): number {
  return count / seconds;
}
