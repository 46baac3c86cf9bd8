import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { nextChainOf } from './kept-decision-repository';
import type { DecisionChain } from './decision-chain';
import type { ReconcilerMetrics } from '../matching/reconciler-metrics';
import { verifyDecisions, type BrokenLink } from './verify-decisions';

export interface VerifyChainsDeps {
  readonly db: Database;
  readonly decisionChain: DecisionChain;
  readonly metrics: Pick<ReconcilerMetrics, 'brokenChains' | 'chainsVerifiedAt'>;
  readonly log: Logger;
  readonly now: () => Date;
  /** Between two pages of 500 rows, so that a round takes from the database what it can spare. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 1_000;
const PAUSE_BETWEEN_CHAINS_MS = 50;

/** Returns a round that verifies the chains of all tenants, one after the other and slowly. Every replica makes its own rounds. */
export function chainVerification(deps: VerifyChainsDeps): (signal: AbortSignal) => Promise<void> {
  const { db, metrics, log, now } = deps;
  let brokenBefore = 0;
  return async (signal) => {
    let broken = 0;
    let last: Tenant | undefined;
    for (;;) {
      const tenant = await nextChainOf(db, last);
      if (tenant === undefined) break;
      const link = await findBrokenLink(deps, tenant, signal);
      if (link !== null) {
        broken += 1;
        metrics.brokenChains.set(Math.max(broken, brokenBefore));
        const { problem, position, decisionId, matchId, paymentIntentId } = link;
        log.error({ ...tenant, problem, position, decisionId, matchId, paymentIntentId }, 'decisions.chain_broken');
      }
      last = tenant;
      await delay(PAUSE_BETWEEN_CHAINS_MS, undefined, { signal });
    }
    brokenBefore = broken;
    metrics.brokenChains.set(broken);
    metrics.chainsVerifiedAt.set(now().getTime() / 1_000);
  };
}

/** What is found is verified once more without pauses: rows that change meanwhile must not look like a broken chain. */
async function findBrokenLink(
  { db, decisionChain, pauseMs = PAUSE_MS }: VerifyChainsDeps,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<BrokenLink | null> {
  const pause = () => delay(pauseMs, undefined, { signal });
  const { broken } = await verifyDecisions({ db, decisionChain, pause }, tenant);
  if (broken === null) return null;
  return (await verifyDecisions({ db, decisionChain }, tenant)).broken;
}
