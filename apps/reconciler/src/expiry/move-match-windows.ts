import { type MovedWindows, type Tenant, type TestClockStep, BusinessError } from '@pay/contracts';
import { retryOnConflict } from '@pay/persistence';
import type { AskUndecided } from './undecided-client';
import { closeMatchWindows, type CloseMatchWindowsDeps } from './close-match-windows';
import { beginStep, moveWindows } from './test-clock-step-repository';
import { sameTenant } from '../domain/facts';

export interface MoveMatchWindowsDeps extends CloseMatchWindowsDeps {
  readonly askUndecided: AskUndecided;
}

/**
 * Moves the match windows of a SANDBOX tenant by one test clock step and closes those that are over, after everything
 * that arrived before is decided. Repeating a step has no effect.
 */
export async function moveMatchWindows(
  deps: MoveMatchWindowsDeps,
  tenant: Tenant,
  { stepId, milliseconds }: TestClockStep,
): Promise<MovedWindows> {
  const { db, log, settings } = deps;
  const step = await beginStep(db, tenant, stepId, milliseconds);
  if (step === undefined) throw new BusinessError('NOT_FOUND');
  if (!step.isMoved) {
    const undecided = await deps.askUndecided();
    const isOpen = undecided?.some((each) => sameTenant(each, tenant) && new Date(each.oldest) <= step.beganAt);
    if (isOpen !== false) return { isDone: false };
    const windows = await retryOnConflict(db, (tx) => moveWindows(tx, stepId, settings.matchWindowMs));
    log.info({ ...tenant, stepId, windows }, 'match.windows_moved');
  }
  await closeMatchWindows(deps, new AbortController().signal);
  return { isDone: true };
}
