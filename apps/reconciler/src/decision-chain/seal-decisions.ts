import type { Tenant } from '@pay/contracts';
import { isConnectionLoss, retryOnConflict, type Transaction } from '@pay/persistence';
import {
  holdChains,
  nextUnsealedTenants,
  sealAtEnds,
  unsealedDecisions,
  type SealedDecision,
} from './decision-chain-repository';
import type { DecisionChain } from './decision-chain';
import { sameTenant } from '../domain/facts';
import type { ServiceDeps } from '../service-deps';

export interface SealDecisionsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly decisionChain: DecisionChain;
  /** Maximum number of decisions linked per transaction. */
  readonly page?: number;
}

const PAGE = 500;
/** Maximum number of tenants per transaction: a round costs as much for one tenant as for all of them. */
const TENANTS = 50;

/**
 * Links committed decisions into the chains of their tenants; one process at a time holds a chain's head. A decision
 * that commits late gets a later position, and no payment waits for linking.
 */
export async function sealDecisions(deps: SealDecisionsDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  let open: readonly Tenant[] = await nextUnsealedTenants(db, undefined, TENANTS);
  let last = open.at(-1);
  while (open.length > 0 && !signal.aborted) {
    open = await sealSome(deps, open);
    if (open.length > 0) continue;
    open = await nextUnsealedTenants(db, last, TENANTS);
    last = open.at(-1);
  }
}

/** Returns the tenants that have more decisions than were linked. */
async function sealSome(deps: SealDecisionsDeps, tenants: readonly Tenant[]): Promise<readonly Tenant[]> {
  try {
    return await retryOnConflict(deps.db, (tx) => sealPage(deps, tx, tenants));
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    if (tenants.length > 1) return sealOneByOne(deps, tenants);
    deps.log.error({ ...tenants[0], err: error }, 'decisions.not_sealed');
    return [];
  }
}

/** A failure in one chain must not delay the others. */
async function sealOneByOne(deps: SealDecisionsDeps, tenants: readonly Tenant[]): Promise<readonly Tenant[]> {
  const unfinished: Tenant[] = [];
  for (const tenant of tenants) unfinished.push(...(await sealSome(deps, [tenant])));
  return unfinished;
}

async function sealPage(
  { decisionChain, now, page = PAGE }: SealDecisionsDeps,
  tx: Transaction,
  tenants: readonly Tenant[],
): Promise<readonly Tenant[]> {
  const held = await holdChains(tx, tenants);
  if (held.length === 0) return [];
  const share = Math.max(1, Math.floor(page / held.length));
  // The next statement reads after the heads are locked, so it sees everything that previous holders have sealed.
  const unsealed = await unsealedDecisions(
    tx,
    held.map(({ tenant }) => tenant),
    share,
  );
  const sealed: SealedDecision[] = [];
  const lasts: SealedDecision[] = [];
  const unfinished: Tenant[] = [];
  for (const { tenant, head } of held) {
    const own = unsealed.filter((decision) => sameTenant(decision.tenant, tenant));
    let { position, link: previous } = head;
    for (const { id, mac } of own) {
      position += 1n;
      const link = decisionChain.link({ ...tenant, position, previous, mac });
      previous = link.mac;
      sealed.push({ id, tenant, position, link });
    }
    const last = sealed.at(-1);
    if (last !== undefined && own.length > 0) lasts.push(last);
    if (own.length === share) unfinished.push(tenant);
  }
  sealAtEnds(tx, sealed, lasts, now());
  return unfinished;
}
