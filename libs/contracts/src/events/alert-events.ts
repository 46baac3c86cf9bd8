import { z } from 'zod';
import { alertKindSchema } from '../alert-kind';
import { timestamp } from '../timestamp';

/** An alert of a merchant was opened or closed. aggregateId = alert id; sequence 1 opens it, 2 closes it. */
export const alertV1 = z.object({
  alertId: z.uuid(),
  kind: alertKindSchema,
  /** Id of the device, endpoint or payment, kind of the exceptions, or `all`. */
  subject: z.string(),
  /** Name of the device or host of the endpoint. */
  name: z.string().nullable(),
  count: z.int().positive(),
  /** Time of the oldest problem. */
  since: timestamp,
  openedAt: timestamp,
  closedAt: timestamp.nullable(),
});
export type AlertFact = z.infer<typeof alertV1>;
