/** So many requests in so many seconds, for each subject. */
export interface Limit {
  /** Of a closed set: it is a metric label. Example: `api_key_live`. */
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

/** Tokens that come back per second. */
export function refillOf({ count, seconds }: Limit): number {
  return count / seconds;
}
