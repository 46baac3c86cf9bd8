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

/** A forwarder app on a phone, implemented from the documented format of the app only. */
export interface Forwarder {
  /** How many texts it sends in one request. */
  readonly batch: number;
  /** A request for these texts, made again at every try. */
  request(texts: readonly InboxText[], secret: string, now: Date): AppRequest;
  outcome(answer: Answer): Outcome;
  /**
   * The ids that the gateway assigned to the texts, in order, if its response contains them. Undefined for a refused
   * one.
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
