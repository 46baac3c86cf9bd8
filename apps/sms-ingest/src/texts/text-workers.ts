import { every, type Worker } from '@pay/runtime';
import { deleteOldTexts, type DeleteOldTextsDeps } from './delete-old-texts';
import { sealOldRows, type SealOldRowsDeps } from './seal-old-rows';

const SEAL_INTERVAL_MS = 10_000;
const DELETE_INTERVAL_MS = 600_000;

/** Workers that encrypt and delete stored texts. */
export function textWorkers(deps: SealOldRowsDeps & DeleteOldTextsDeps): Worker[] {
  const { log } = deps;
  return [
    every('seal-old-rows', SEAL_INTERVAL_MS, (signal) => sealOldRows(deps, signal), { log }),
    every('delete-old-texts', DELETE_INTERVAL_MS, (signal) => deleteOldTexts(deps, signal), { log }),
  ];
}
