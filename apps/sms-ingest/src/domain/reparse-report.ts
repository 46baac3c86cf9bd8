import type { ReparseReport } from '@pay/contracts';

/** What kept a text from being read again. */
export type Skipped = keyof ReparseReport['skipped'];

export const NOTHING: ReparseReport = {
  dryRun: true,
  examined: 0,
  changed: 0,
  unchanged: 0,
  skipped: { textDeleted: 0, unknownDevice: 0, repeat: 0, failed: 0 },
  changes: [],
  next: null,
};

export function sum(one: ReparseReport, other: ReparseReport): ReparseReport {
  const skipped = { ...one.skipped };
  for (const reason of Object.keys(skipped) as Skipped[]) skipped[reason] += other.skipped[reason];
  return {
    ...one,
    examined: one.examined + other.examined,
    changed: one.changed + other.changed,
    unchanged: one.unchanged + other.unchanged,
    skipped,
    changes: [...one.changes, ...other.changes],
  };
}
