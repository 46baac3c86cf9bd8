import { z } from 'zod';

/** Fields of an event that its owner publishes again. */
export const reannouncement = {
  /**
   * True: the owner has published this before and has stored no decision about it. The reconciler publishes its
   * decision again, even if nothing has changed. Absent: the first publication.
   */
  decisionMissing: z.boolean().optional(),
};
