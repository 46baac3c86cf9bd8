import type { Logger } from '@pay/runtime';
import type { CONFLICT_SUBJECTS, MessagingMetrics } from '../metrics';

/** Two facts about one object with the same epoch and sequence but different content: one history was lost. */
export interface SequenceConflict {
  readonly subject: (typeof CONFLICT_SUBJECTS)[number];
  readonly id: string;
  readonly epoch: number | null;
  readonly sequence: number;
}

/** Counts and logs conflicts; call it after the commit. The stored fact is not changed. */
export type ReportConflict = (conflict: SequenceConflict) => void;

export function conflictReporter(deps: {
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'sequenceConflicts'>;
}): ReportConflict {
  return ({ subject, id, epoch, sequence }) => {
    deps.metrics.sequenceConflicts.inc({ subject });
    deps.log.error({ subject, id, epoch, sequence }, 'sequence.conflict');
  };
}
