import { type PlayedDeliveries, type Tenant, type TestClockStep, BusinessError } from '@pay/contracts';
import { retryOnConflict } from '@pay/persistence';
import { beginStep, jumpToNextDue } from './test-clock-step-repository';
import type { ServiceDeps } from '../service-deps';

export interface PlayDeliveriesDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly poke: () => void;
}

/**
 * Jumps to the next due time when nothing is due; the normal sender sends. The caller repeats it until no time is left
 * and nothing is due.
 */
export async function playDeliveries(
  { db, poke, log }: PlayDeliveriesDeps,
  tenant: Tenant,
  { stepId, milliseconds }: TestClockStep,
): Promise<PlayedDeliveries> {
  await beginStep(db, tenant, stepId, milliseconds);
  const jump = await retryOnConflict(db, (tx) => jumpToNextDue(tx, tenant, stepId));
  if (jump === undefined) throw new BusinessError('NOT_FOUND');
  if (jump.jumped > 0)
    log.info({ ...tenant, stepId, milliseconds: jump.jumped, due: jump.due }, 'delivery.waits_skipped');
  if (jump.due > 0) poke();
  return { millisecondsLeft: jump.left, due: jump.due };
}
