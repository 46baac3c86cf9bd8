import type { InboxText } from '../shop-day';

/** One HTTP request as the app sends it. */
export interface AppRequest {
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** How the app takes an answer: done with, to be sent again, or never to be sent again. */
export type Outcome = 'done' | 'again' | 'dropped';

/**
 * An app on a phone that forwards SMS, as its own code does it. Written from the apps' documented formats and nothing
 * else.
 */
export interface Forwarder {
  /** How many texts it sends in one request. */
  readonly batch: number;
  /** A request for these texts, made again at every try. */
  request(texts: readonly InboxText[], secret: string, now: Date): AppRequest;
  outcome(answer: Answer): Outcome;
  /**
   * What the gateway calls the texts, in their order, if its answer to this app says so. Undefined for one that it
   * refused.
   */
  idsIn?(answer: Answer): readonly (string | undefined)[];
}

export const JSON_BODY = { 'content-type': 'application/json' } as const;

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;
export const untilTaken = (answer: Answer): Outcome => (isSuccess(answer) ? 'done' : 'again');

/** ISO 8601 with the phone's own offset. */
export function withDhakaOffset(at: Date): string {
  return `${new Date(at.getTime() + 6 * 3_600_000).toISOString().slice(0, -1)}+06:00`;
}
