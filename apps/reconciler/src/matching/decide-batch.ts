import { tenantKey } from '@pay/contracts';
import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { announcements, repetitions } from './decision-events';
import { insertDisputes } from './dispute-repository';
import { insertSwitchOffs, SECOND_LOOK_MS } from './switch-off-repository';
import type { Arrival } from '../domain/arrivals';
import type { MatchDecision, SessionResult, ReviewResult } from '../domain/matching-session';
import type { WorkingSet } from '../domain/working-set';
import type { Terms } from '../domain/facts';
import { decideArrivals } from '../domain/decide-arrivals';
import { failedRules } from '../domain/rules';
import { whyUnpayable } from '../domain/unpayable';
import { findTerms, noTerms, type FindTermsDeps } from './find-terms';
import { loadWorkingSet } from './load-working-set';
import { countClaim, countDecision, type ReconcilerMetrics } from './reconciler-metrics';
import { recordDecisions, type RecordDecisionsDeps } from '../decision-chain/record-decisions';
import { storeWorkingSet } from './store-working-set';
import type { ServiceDeps } from '../service-deps';

export interface DecideDeps extends FindTermsDeps, RecordDecisionsDeps, Pick<ServiceDeps, 'log' | 'now' | 'newId'> {
  readonly messaging: Pick<Messaging, 'publish' | 'reportConflict'>;
  readonly metrics: ReconcilerMetrics;
}

export interface DecidedBatch<A extends Arrival> {
  readonly workingSet: WorkingSet;
  /** Not decided: the facts of their merchant have not arrived. */
  readonly postponed: readonly A[];
  /** Results of the review actions. */
  readonly reviewResults: readonly ReviewResult[];
}

/** The rows and terms for the decisions of a batch. */
export interface Opened {
  readonly workingSet: WorkingSet;
  readonly terms: ReadonlyMap<string, Terms>;
}

/** Takes the locks of a batch and reads its rows. It must not write, because some arrivals may not be decided. */
export async function openBatch(deps: FindTermsDeps, tx: Transaction, arrivals: readonly Arrival[]): Promise<Opened> {
  const tenants = arrivals.map(({ tenant }) => tenant);
  const [workingSet, terms] = await Promise.all([loadWorkingSet(tx, arrivals), findTerms(deps, tenants)]);
  return { workingSet, terms };
}

/**
 * Decides all arrivals in one transaction: decisions, their signed records and their events are committed together.
 * `opened` contains the rows of these arrivals and possibly of more.
 */
export async function decideBatch<A extends Arrival>(
  deps: DecideDeps,
  tx: Transaction,
  arrivals: readonly A[],
  opened?: Opened,
): Promise<DecidedBatch<A>> {
  const { workingSet, terms } = opened ?? (await openBatch(deps, tx, arrivals));
  // Deadlines and reviews do not depend on the merchant's terms; other arrivals cannot be decided without them.
  const isClock = ({ kind }: A) => kind === 'expiry' || kind === 'window' || kind === 'unpayable' || kind === 'review';
  const ready = arrivals.filter((arrival) => isClock(arrival) || terms.has(tenantKey(arrival.tenant)));
  const postponed = arrivals.filter((arrival) => !ready.includes(arrival));

  const now = deps.now();
  const result = decideArrivals(workingSet, ready, {
    now,
    newId: deps.newId,
    termsOf: (tenant) => terms.get(tenantKey(tenant)) ?? noTerms(deps.settings),
  });
  storeWorkingSet(tx, workingSet);
  insertDisputes(tx, result.disputes, now);
  recordDecisions(deps, tx, result.matches, workingSet, now);
  insertSwitchOffs(tx, doubtfulIntents(workingSet, ready, terms), SECOND_LOOK_MS);
  const drafts = announcements(result, now);
  if (drafts.length > 0) await deps.messaging.publish(tx, drafts);
  for (const { queue, drafts } of repetitions(result, now)) await deps.messaging.publish(tx, drafts, { queue });
  tx.onCommit(() => record(deps, result));
  return { workingSet, postponed, reviewResults: result.reviewResults };
}

/**
 * New intents that are unpayable by the local facts. Those may be older than the facts at creation, so the intents are
 * checked again later.
 */
function doubtfulIntents(workingSet: WorkingSet, arrivals: readonly Arrival[], terms: Opened['terms']) {
  return arrivals.flatMap((arrival) => {
    if (arrival.kind !== 'intent') return [];
    const { tenant, intent } = arrival;
    const known = terms.get(tenantKey(tenant));
    const isPending = workingSet.intents.get(intent.id)?.status === 'PENDING';
    if (!isPending || known === undefined) return [];
    const isClosed = (id: string) => !known.activeReceivers.has(id);
    const reason = whyUnpayable(intent, { merchantIsActive: true, ...known, isClosed });
    return reason === undefined ? [] : [{ tenant, intentId: intent.id }];
  });
}

function record(deps: DecideDeps, { matches, claims, disputes, conflicts }: SessionResult): void {
  for (const conflict of conflicts) deps.messaging.reportConflict(conflict);
  const now = deps.now();
  for (const decision of matches) {
    countDecision(deps.metrics, decision, now);
    if (decision.reason === 'intent_expired') deps.metrics.expired.inc({ environment: decision.tenant.environment });
    deps.log.info(lineOf(decision, now), 'match.decided');
  }
  for (const claim of claims) {
    countClaim(deps.metrics, claim);
    deps.log.info(
      {
        ...claim.tenant,
        claimId: claim.id,
        intentId: claim.intentId,
        smsEventId: claim.smsEventId,
        outcome: claim.outcome,
        reason: claim.reason,
      },
      'claim.decided',
    );
  }
  for (const { tenant, intentId, smsEventId, paidIntentId } of disputes) {
    deps.log.info({ ...tenant, intentId, smsEventId, paidIntentId }, 'claim.disputed');
  }
}

function lineOf(decision: MatchDecision, now: Date) {
  return {
    ...decision.tenant,
    matchId: decision.matchId,
    decisionId: decision.decisionId,
    smsEventId: decision.evidence?.smsEventId ?? decision.sms?.id,
    intentId: decision.paymentIntentId,
    status: decision.status,
    reason: decision.reason,
    path: decision.path,
    failedRules: decision.checks === undefined ? undefined : failedRules(decision.checks),
    intentStatus: decision.intent?.status,
    paidInTime: decision.paidInTime,
    decidedBy: decision.decidedBy,
    durationMs: decision.ingestedAt === undefined ? undefined : now.getTime() - decision.ingestedAt.getTime(),
  };
}
