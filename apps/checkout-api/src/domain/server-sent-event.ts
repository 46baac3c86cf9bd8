export interface ServerSentEvent {
  readonly event: string;
  /** The last event id that a reconnecting client has received. */
  readonly id?: string;
  /** One line, as JSON is. */
  readonly data: string;
}

/** Formats one event of a stream. */
export function eventFrame({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** The time that the client waits before it reconnects. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${Math.round(milliseconds)}\n\n`;
}

/** A comment without data: keeps proxies from closing the connection, and detects disconnected clients. */
export const HEARTBEAT = ':\n\n';
