import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { chainsSealedSince } from './decision-chain-repository';
import { nextChainOf } from './kept-decision-repository';
import type { DecisionChain } from './decision-chain';
import type { ReconcilerMetrics } from '../matching/reconciler-metrics';
import { chainVerification, verifyEntriesAfter, type BrokenLink, type VerifiedPlace } from './verify-decisions';

export interface VerifyChainsDeps {
  readonly db: Database;
  readonly decisionChain: DecisionChain;
  readonly metrics: Pick<ReconcilerMetrics, 'brokenChains' | 'chainsVerifiedAt' | 'allDecisionsVerifiedAt'>;
  readonly log: Logger;
  readonly now: () => Date;
  /** Time per round for old decisions. */
  readonly budgetMs?: number;
}

/** With one round per minute: less than 2 % of a core, independent of the number of decisions. */
const BUDGET_MS = 1_000;
/** Lets others use the database and this process between two pages. */
const PAUSE_MS = 20;
/** Clocks of replicas differ, and a chain is sealed a moment before its transaction commits. */
const SLACK_MS = 5 * 60_000;

/**
 * Returns a round of verification: it verifies the new decisions of all chains and continues a pass over all stored
 * decisions, money and intents, which takes several rounds. Every replica makes its own rounds.
 */
export function verificationRounds(deps: VerifyChainsDeps): (signal: AbortSignal) => Promise<void> {
  const { metrics, now, budgetMs = BUDGET_MS } = deps;
  const broken = new BrokenChains(deps);
  const verified = new Map<string, VerifiedPlace>();
  let since = now();
  let pass: AsyncGenerator<void, void, void> | undefined;
  return async (signal) => {
    const startedAt = now();
    await verifyNewDecisions(deps, { verified, broken, since });
    since = startedAt;
    try {
      for (let workedMs = 0; workedMs < budgetMs;) {
        const stepAt = performance.now();
        pass ??= verifyAll(deps, broken);
        const { done } = await pass.next();
        workedMs += performance.now() - stepAt;
        if (done) {
          pass = undefined;
          metrics.allDecisionsVerifiedAt.set(now().getTime() / 1_000);
          break;
        }
        await delay(PAUSE_MS, undefined, { signal });
      }
    } catch (error) {
      pass = undefined;
      throw error;
    }
    broken.show();
    metrics.chainsVerifiedAt.set(now().getTime() / 1_000);
  };
}

interface NewDecisions {
  /** By tenant: the position up to which this process has verified new decisions. */
  readonly verified: Map<string, VerifiedPlace>;
  readonly broken: BrokenChains;
  readonly since: Date;
}

/** Decisions sealed before this process first saw a chain are verified by the full pass. */
async function verifyNewDecisions(deps: VerifyChainsDeps, { verified, broken, since }: NewDecisions): Promise<void> {
  for (const chain of await chainsSealedSince(deps.db, new Date(since.getTime() - SLACK_MS))) {
    const place = verified.get(keyOf(chain));
    // A restored database has an earlier head.
    if (place === undefined || place.position > chain.position) {
      verified.set(keyOf(chain), chain);
    } else if (place.position < chain.position) {
      const { broken: link, ...good } = await verifyEntriesAfter(deps, chain, place);
      verified.set(keyOf(chain), good);
      if (link !== null) broken.add(chain, link);
    }
  }
}

async function* verifyAll(deps: VerifyChainsDeps, broken: BrokenChains): AsyncGenerator<void, void, void> {
  for (let tenant = await nextChainOf(deps.db, undefined); tenant; tenant = await nextChainOf(deps.db, tenant)) {
    const { broken: link } = yield* chainVerification(deps, tenant);
    if (link === null) broken.remove(tenant);
    else broken.add(tenant, link);
    yield;
  }
}

class BrokenChains {
  private readonly chains = new Set<string>();

  constructor(private readonly deps: Pick<VerifyChainsDeps, 'metrics' | 'log'>) {}

  add(tenant: Tenant, { problem, position, decisionId, matchId, paymentIntentId }: BrokenLink): void {
    const { merchantId, environment } = tenant;
    this.chains.add(keyOf(tenant));
    this.show();
    this.deps.log.error(
      { merchantId, environment, problem, position, decisionId, matchId, paymentIntentId },
      'decisions.chain_broken',
    );
  }

  remove(tenant: Tenant): void {
    this.chains.delete(keyOf(tenant));
  }

  show(): void {
    this.deps.metrics.brokenChains.set(this.chains.size);
  }
}

function keyOf({ merchantId, environment }: Tenant): string {
  return `${merchantId} ${environment}`;
}
