/** Headers of messages that were moved to a retry queue or parked. */
export const HEADERS = {
  tries: 'x-tries',
  firstSeen: 'x-first-seen',
  parkedAt: 'x-parked-at',
  reason: 'x-reason',
  originalRoutingKey: 'x-original-routing-key',
  /** Number of events in the message; absent: one. */
  events: 'x-events',
  /** On a probe of a binding: when its signature is rejected, it is dropped and not parked. */
  probe: 'x-probe',
} as const;

/** The body of one event is the event; of several, a JSON array. */
export function bodyOf(bodies: readonly string[]): string {
  return bodies.length === 1 ? (bodies[0] ?? '') : `[${bodies.join(',')}]`;
}
