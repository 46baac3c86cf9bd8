import type { ReparseOneResponse, ReparseReport } from '@pay/contracts';

/** Why a text was not re-parsed. */
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

const OUTCOMES: Readonly<Record<Skipped, ReparseOneResponse['outcome']>> = {
  textDeleted: 'text_deleted',
  unknownDevice: 'unknown_device',
  repeat: 'repeat',
  failed: 'failed',
};

/** Of a report about at most one text. */
export function outcomeOf({
  examined,
  changed,
  unchanged,
  skipped,
}: Pick<ReparseReport, 'examined' | 'changed' | 'unchanged' | 'skipped'>): ReparseOneResponse['outcome'] {
  if (examined === 0) return 'decided';
  if (changed > 0) return 'changed';
  const reason = (Object.keys(skipped) as Skipped[]).find((each) => skipped[each] > 0);
  return unchanged > 0 || reason === undefined ? 'unchanged' : OUTCOMES[reason];
}
