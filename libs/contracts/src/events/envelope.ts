import { z } from 'zod';
import { environmentSchema } from '../environment';
import { timestamp } from '../timestamp';

/**
 * The fields around every event on the broker. `id` (UUID v7) is also the AMQP messageId and the de-duplication key
 * everywhere; `sequence` counts per aggregate in the order of its owner's commits. Control events belong to no
 * merchant. `epoch` says which history of the publisher's database the sequence belongs to; compare both with
 * `compareSequences`. Absent in events of publishers that do not write it yet.
 */
export const envelopeSchema = z.object({
  id: z.uuid(),
  type: z.string(),
  version: z.int().positive(),
  occurredAt: timestamp,
  environment: environmentSchema.nullable(),
  merchantId: z.uuid().nullable(),
  aggregateId: z.string(),
  sequence: z.int().nonnegative(),
  epoch: z.int().nonnegative().nullish(),
  traceparent: z.string().nullish(),
  data: z.unknown(),
});

export interface Envelope<Type extends string, Data> extends Readonly<
  Omit<z.infer<typeof envelopeSchema>, 'type' | 'data'>
> {
  readonly type: Type;
  readonly data: Data;
}
