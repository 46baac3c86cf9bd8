import type { InboxText } from '../shop-day';

export interface AppRequest {
  readonly method: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Reaction of the app to a response. done: accepted. again: retry. dropped: give up. */
export type Outcome = 'done' | 'again' | 'dropped';

/** Implemented only from the documented format of the app. */
export interface Forwarder {
  /** Maximum number of texts per request. */
  readonly batch: number;
  /** Called for every attempt. */
  request(texts: readonly InboxText[], secret: string, now: Date): AppRequest;
  outcome(answer: Answer): Outcome;
  /** Ids that the gateway assigned, in order, if the response contains them. Undefined for a refused text. */
  idsIn?(answer: Answer): readonly (string | undefined)[];
}

export const JSON_BODY = { 'content-type': 'application/json' } as const;

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;
export const untilTaken = (answer: Answer): Outcome => (isSuccess(answer) ? 'done' : 'again');

/** ISO 8601 with the offset of the phone. */
export function withDhakaOffset(at: Date): string {
  return `${new Date(at.getTime() + 6 * 3_600_000).toISOString().slice(0, -1)}+06:00`;
}
