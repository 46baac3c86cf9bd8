import { type MovedExpiries, type Tenant, type TestClockStep, BusinessError } from '@pay/contracts';
import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import {
  beginStep,
  findExpiring,
  lockStep,
  moveExpiries as movePage,
  noteProgress,
} from './test-clock-step-repository';
import type { StoredIntent } from '../domain/stored-intent';
import type { ServiceDeps } from '../service-deps';

export interface MoveExpiriesDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly messaging: Pick<Messaging, 'publish'>;
}

const PAGE = 500;

/**
 * Moves all open intents, or only the named ones, and publishes the changes. A repeated call continues after an
 * interruption and moves no intent twice.
 */
export async function moveExpiries(
  deps: MoveExpiriesDeps,
  tenant: Tenant,
  { stepId, milliseconds, paymentIntentIds }: TestClockStep,
): Promise<MovedExpiries> {
  const { db } = deps;
  await beginStep(db, tenant, stepId, { milliseconds, paymentIntentIds });
  let isMoved = false;
  while (!isMoved) isMoved = await db.transaction((tx) => moveOnePage(deps, tx, tenant, stepId));
  return findExpiring(db, stepId);
}

async function moveOnePage(deps: MoveExpiriesDeps, tx: Transaction, tenant: Tenant, stepId: string): Promise<boolean> {
  const step = await lockStep(tx, tenant, stepId);
  if (step === undefined) throw new BusinessError('NOT_FOUND');
  if (step.isMoved) return true;
  const moved = (await movePage(tx, stepId, PAGE)).toSorted((one, other) => (one.intent.id < other.intent.id ? -1 : 1));
  const beganAt = step.beganAt.toISOString();
  const isMoved = moved.length < PAGE;
  await noteProgress(tx, stepId, {
    doneTo: moved.at(-1)?.intent.id,
    expiring: moved
      .filter(({ intent }) => intent.status === 'PENDING' && intent.expiresAt === beganAt)
      .map(({ intent }) => intent.id),
    isMoved,
  });
  if (moved.length === 0) return isMoved;
  await deps.messaging.publish(
    tx,
    moved.map((each) => announcement(each, step.beganAt)),
  );
  tx.onCommit(() => deps.log.info({ ...tenant, stepId, intents: moved.length }, 'intent.expiries_moved'));
  return isMoved;
}

function announcement({ environment, merchantId, sequence, intent }: StoredIntent, occurredAt: Date) {
  return draft('intent.expiry_moved', {
    environment,
    merchantId,
    aggregateId: intent.id,
    sequence,
    occurredAt,
    data: { intent },
  });
}
