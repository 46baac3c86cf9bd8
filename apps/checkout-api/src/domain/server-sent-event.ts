export interface ServerSentEvent {
  readonly event: string;
  /** A reconnecting client sends the id of the last event that it received. */
  readonly id?: string;
  /** Must not contain a line break. JSON never does. */
  readonly data: string;
}

export function eventFrame({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** The client waits this time before it reconnects. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${Math.round(milliseconds)}\n\n`;
}

/** A comment without data, which keeps proxies from closing the connection and detects disconnected clients. */
export const HEARTBEAT = ':\n\n';
