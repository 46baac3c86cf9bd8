import type { Tenant } from '@pay/contracts';
import { isConnectionLoss, retryOnConflict, type Database, type Transaction } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { holdChain, nextUnsealedTenant, sealAtEnd, unsealedDecisions, type SealedDecision } from './db/decision-chains';
import type { DecisionChain } from './decision-chain';
import type { ReconcilerMetrics } from './reconciler-metrics';

export interface SealDecisionsDeps {
  readonly db: Database;
  readonly decisionChain: DecisionChain;
  readonly metrics: ReconcilerMetrics;
  readonly log: Logger;
  readonly now: () => Date;
  /** Most decisions that are linked in one transaction. */
  readonly page?: number;
}

const PAGE = 500;

/**
 * Links decisions that are committed into the chain of their tenant. Any number of processes may: the end of a chain is held by one at a
 * time. A decision that commits late comes later in the chain, and nothing that was decided waits here.
 */
export async function sealDecisions(deps: SealDecisionsDeps, signal: AbortSignal): Promise<void> {
  const { db, metrics, page = PAGE } = deps;
  let lagMs = 0;
  let tenant = await nextUnsealedTenant(db, undefined);
  while (tenant !== undefined && !signal.aborted) {
    const { sealed, oldestMs } = await sealSome(deps, tenant);
    lagMs = Math.max(lagMs, oldestMs);
    if (sealed < page) tenant = await nextUnsealedTenant(db, tenant);
  }
  metrics.sealLag.set(lagMs / 1_000);
}

interface Sealed {
  readonly sealed: number;
  readonly oldestMs: number;
}
const NOTHING: Sealed = { sealed: 0, oldestMs: 0 };

async function sealSome(deps: SealDecisionsDeps, tenant: Tenant): Promise<Sealed> {
  try {
    return await retryOnConflict(deps.db, (tx) => sealPage(deps, tx, tenant));
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    // Whatever is wrong with this chain, the others do not wait behind it.
    deps.log.error({ ...tenant, err: error }, 'decisions.not_sealed');
    return NOTHING;
  }
}

async function sealPage(
  { decisionChain, now, page = PAGE }: SealDecisionsDeps,
  tx: Transaction,
  tenant: Tenant,
): Promise<Sealed> {
  const head = await holdChain(tx, tenant);
  if (head === undefined) return NOTHING;
  // The next statement looks after the head is held, so it sees what the last holder has sealed.
  const unsealed = await unsealedDecisions(tx, tenant, page);
  let { position, link: previous } = head;
  const sealed = unsealed.map(({ id, mac }): SealedDecision => {
    position += 1n;
    const link = decisionChain.link({ ...tenant, position, previous, mac });
    previous = link.mac;
    return { id, position, link };
  });
  sealAtEnd(tx, tenant, sealed, now());
  const oldest = Math.min(...unsealed.map(({ decidedAt }) => decidedAt.getTime()), now().getTime());
  return { sealed: sealed.length, oldestMs: now().getTime() - oldest };
}
