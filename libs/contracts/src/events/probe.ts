import { z } from 'zod';
import { timestamp } from '../timestamp';

const count = z.int().positive();

/**
 * Marks a published event that is sent again to test the bindings of its type. Consumers record the probe and do not
 * handle the event.
 */
export const probeSchema = z.object({
  publisher: z.string(),
  /**
   * Counted per publisher and type. It increases when the broker has confirmed the probe, so a number may come twice.
   */
  number: count,
  sentAt: timestamp,
  /** Every event of this type that was stored before this time had been confirmed when the probe was sent. */
  publishedUntil: timestamp,
  /** The numbers of all types that the publisher probes in this round, this type included. */
  round: z.record(z.string(), count),
});
export type Probe = z.infer<typeof probeSchema>;

export interface ProbedType extends Probe {
  readonly type: string;
  readonly version: number;
}

const probedSchema = z.object({ type: z.string(), version: count, probe: probeSchema });

/**
 * The probe in a parsed message body, if it is one. The event itself is not checked: its version may be unknown here.
 */
export function readProbe(json: unknown): ProbedType | undefined {
  if (typeof json !== 'object' || json === null || !('probe' in json)) return undefined;
  const read = probedSchema.safeParse(json);
  return read.success ? { type: read.data.type, version: read.data.version, ...read.data.probe } : undefined;
}
