import { setTimeout as delay } from 'node:timers/promises';
import { tenantKey, type Tenant } from '@pay/contracts';
import type { ChainMetrics } from './chain-metrics';
import { chainsSealedSince } from './decision-chain-repository';
import { nextChainOf } from './kept-decision-repository';
import { findPass, storePass, type VerificationPass } from './verification-pass-repository';
import type { DecisionChain } from './decision-chain';
import { chainVerification, verifyPageAfter, type BrokenLink, type VerifiedPlace } from './verify-decisions';
import type { ServiceDeps } from '../service-deps';

export interface VerifyChainsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly decisionChain: DecisionChain;
  readonly metrics: Pick<ChainMetrics, 'brokenChains' | 'chainsVerifiedAt'>;
  /** Time per round for new decisions, for old ones on the first day of their pass, and for broken chains. */
  readonly budgetMs?: number;
}

/** With one round per minute: about 1 % of a core for all. */
const BUDGET_MS = 250;
const DAY_MS = 24 * 60 * 60_000;
/** At most a sixth of a core. */
const MOST_DAYS = 40;
/** Lets others use the database and this process between two pages. */
const PAUSE_MS = 20;
/** Clocks of replicas differ, and a chain is sealed a moment before its transaction commits. */
const SLACK_MS = 5 * 60_000;

/**
 * Returns a round of verification: it verifies new decisions of all chains and continues the pass of all replicas over
 * all stored decisions, money and intents, either of which may take several rounds.
 */
export function verificationRounds(deps: VerifyChainsDeps): (signal: AbortSignal) => Promise<void> {
  const { metrics, budgetMs = BUDGET_MS } = deps;
  const broken = new BrokenChains(deps);
  const newDecisions = new NewDecisions(deps, broken);
  metrics.chainsVerifiedAt.set(newDecisions.verifiedUntil.getTime() / 1_000);
  const continueWithNew = inParts(budgetMs, () => newDecisions.verification());
  const continueWithBroken = inParts(budgetMs, () => verifyBroken(deps, broken));
  return async (signal) => {
    if (await continueWithNew(signal)) metrics.chainsVerifiedAt.set(newDecisions.verifiedUntil.getTime() / 1_000);
    await continuePass(deps, broken, signal);
    await continueWithBroken(signal);
    broken.show();
  };
}

/** Each call does at least one step, and continues until the budget is used up. Returns whether the work is done. */
function inParts(
  budgetMs: number,
  start: () => AsyncGenerator<void, void, void>,
): (signal: AbortSignal) => Promise<boolean> {
  let work: AsyncGenerator<void, void, void> | undefined;
  return async (signal) => {
    work ??= start();
    try {
      for (let workedMs = 0; workedMs < budgetMs;) {
        const stepAt = performance.now();
        const { done } = await work.next();
        workedMs += performance.now() - stepAt;
        if (done) {
          work = undefined;
          return true;
        }
        await delay(PAUSE_MS, undefined, { signal });
      }
      return false;
    } catch (error) {
      work = undefined;
      throw error;
    }
  };
}

/** Decisions sealed before this process first saw a chain are verified by the full pass. */
class NewDecisions {
  /** By tenant: the position up to which this process has verified new decisions. */
  private readonly verified = new Map<string, VerifiedPlace>();
  /** Chains sealed before have no unverified new decisions. */
  verifiedUntil: Date;

  constructor(
    private readonly deps: VerifyChainsDeps,
    private readonly broken: BrokenChains,
  ) {
    this.verifiedUntil = deps.now();
  }

  /** One page of each chain in turn, so that a long chain does not delay the others. */
  async *verification(): AsyncGenerator<void, void, void> {
    const startedAt = this.deps.now();
    const sealed = await chainsSealedSince(this.deps.db, new Date(this.verifiedUntil.getTime() - SLACK_MS));
    for (let open = this.withNew(sealed); open.length > 0;) {
      const unfinished: typeof open = [];
      for (const chain of open) {
        if (await this.verifyPage(chain)) unfinished.push(chain);
        yield;
      }
      open = unfinished;
    }
    this.verifiedUntil = startedAt;
  }

  /** Chains with new decisions. A chain that is seen for the first time begins at its head. */
  private withNew(sealed: readonly (Tenant & VerifiedPlace)[]): (Tenant & VerifiedPlace)[] {
    const chains: (Tenant & VerifiedPlace)[] = [];
    for (const chain of sealed) {
      const place = this.verified.get(tenantKey(chain));
      // A restored database has an earlier head.
      if (place === undefined || place.position > chain.position) this.verified.set(tenantKey(chain), chain);
      else if (place.position < chain.position) chains.push(chain);
    }
    return chains;
  }

  /** Returns whether more of the chain's new decisions are to be verified. */
  private async verifyPage(chain: Tenant & VerifiedPlace): Promise<boolean> {
    const place = this.verified.get(tenantKey(chain)) ?? chain;
    const { broken: link, ...good } = await verifyPageAfter(this.deps, chain, place);
    this.verified.set(tenantKey(chain), good);
    if (link !== null) this.broken.add(chain, link);
    return link === null && good.position > place.position && good.position < chain.position;
  }
}

/**
 * Time per round for a pass: proportional to the days that it has taken, so that it ends although the number of
 * decisions grows.
 */
export function budgetOfPass(startedAt: Date, now: Date, budgetMs: number): number {
  const days = Math.ceil((now.getTime() - startedAt.getTime()) / DAY_MS);
  return budgetMs * Math.min(Math.max(days, 1), MOST_DAYS);
}

/** Continues where any replica has stopped. If two continue from the same place, the result of one is stored. */
async function continuePass(deps: VerifyChainsDeps, broken: BrokenChains, signal: AbortSignal): Promise<void> {
  const stored = await findPass(deps.db);
  if (stored === undefined) throw new Error('invariant: verification_pass has one row');
  let reached = stored;
  const steps = stepsOfPass(deps, broken, stored);
  const { startedAt } = stored;
  const isDone = await inParts(budgetOfPass(startedAt, deps.now(), deps.budgetMs ?? BUDGET_MS), async function* () {
    for await (reached of steps) yield;
  })(signal);
  const next = { startedAt: deps.now(), verifiedSince: startedAt, merchantId: null, environment: null, place: null };
  await storePass(deps.db, isDone ? { ...stored, ...next } : reached);
}

async function* stepsOfPass(
  deps: VerifyChainsDeps,
  broken: BrokenChains,
  pass: VerificationPass,
): AsyncGenerator<VerificationPass, void, void> {
  const { merchantId, environment } = pass;
  const last = merchantId === null || environment === null ? undefined : { merchantId, environment };
  let { place } = pass;
  for (let tenant = place === null ? await nextChainOf(deps.db, last) : last; tenant;) {
    const verification = chainVerification(deps, tenant, {}, place ?? undefined);
    let step = await verification.next();
    for (; !step.done; step = await verification.next()) yield { ...pass, ...tenant, place: step.value };
    if (step.value.broken !== null) broken.add(tenant, step.value.broken);
    place = null;
    yield { ...pass, ...tenant, place };
    tenant = await nextChainOf(deps.db, tenant);
  }
}

/** The pass may return to these chains in another process only. */
async function* verifyBroken(deps: VerifyChainsDeps, broken: BrokenChains): AsyncGenerator<void, void, void> {
  for (const tenant of broken.tenants()) {
    const verification = chainVerification(deps, tenant);
    let step = await verification.next();
    for (; !step.done; step = await verification.next()) yield;
    if (step.value.broken === null) broken.remove(tenant);
    yield;
  }
}

class BrokenChains {
  private readonly chains = new Map<string, Tenant>();

  constructor(private readonly deps: Pick<VerifyChainsDeps, 'metrics' | 'log'>) {}

  add(tenant: Tenant, { problem, position, decisionId, matchId, paymentIntentId }: BrokenLink): void {
    const { merchantId, environment } = tenant;
    this.chains.set(tenantKey(tenant), { merchantId, environment });
    this.show();
    this.deps.log.error(
      { merchantId, environment, problem, position, decisionId, matchId, paymentIntentId },
      'decisions.chain_broken',
    );
  }

  tenants(): readonly Tenant[] {
    return [...this.chains.values()];
  }

  remove(tenant: Tenant): void {
    this.chains.delete(tenantKey(tenant));
  }

  show(): void {
    this.deps.metrics.brokenChains.set(this.chains.size);
  }
}
