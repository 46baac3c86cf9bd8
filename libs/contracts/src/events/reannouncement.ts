import { z } from 'zod';

/** Fields of an event that its owner announces again. */
export const reannouncement = {
  /**
   * True: the owner has announced this before and has stored no decision about it. The reconciler publishes its
   * decision again, also when nothing has changed. Absent: the first announcement.
   */
  decisionMissing: z.boolean().optional(),
};
