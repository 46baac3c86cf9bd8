export interface ServerSentEvent {
  readonly event: string;
  /** What a client that comes back says it has heard last. */
  readonly id?: string;
  /** One line, as JSON is. */
  readonly data: string;
}

/** One event of a stream, as it goes over the wire. */
export function eventFrame({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** Tells how long to wait before coming back when the stream breaks off. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${Math.round(milliseconds)}\n\n`;
}

/** Says nothing: keeps proxies from giving the connection up, and finds out who is gone. */
export const HEARTBEAT = ':\n\n';
