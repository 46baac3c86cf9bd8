import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { announcements, repetitions } from './announce';
import { insertDisputes } from './db/disputes';
import { insertSwitchOffs } from './db/switch-offs';
import type { Arrival } from './domain/arrivals';
import type { MatchRuling, Rulings, Verdict } from './domain/court';
import type { Docket } from './domain/docket';
import type { Terms } from './domain/facts';
import { judge } from './domain/judge';
import { failedRules } from './domain/rules';
import { whyUnpayable } from './domain/unpayable';
import { findTerms, noTerms, tenantKey, type FindTermsDeps } from './find-terms';
import { loadDocket } from './load-docket';
import { SECOND_LOOK_MS } from './note-switch-offs';
import { countClaim, countDecision, type ReconcilerMetrics } from './reconciler-metrics';
import { recordDecisions, type RecordDecisionsDeps } from './record-decisions';
import { storeDocket } from './store-docket';

export interface JudgeDeps extends FindTermsDeps, RecordDecisionsDeps {
  readonly messaging: Pick<Messaging, 'publish' | 'reportConflict'>;
  readonly log: Logger;
  readonly metrics: ReconcilerMetrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface Judged<A extends Arrival> {
  readonly docket: Docket;
  /** Not judged: the facts of their merchant have not arrived. */
  readonly postponed: readonly A[];
  /** What came of what people asked for. */
  readonly verdicts: readonly Verdict[];
}

/** What a batch is judged over, and by. */
export interface Opened {
  readonly docket: Docket;
  readonly terms: ReadonlyMap<string, Terms>;
}

/** Takes the locks of a batch and reads what it is judged over. Writes nothing: more may be opened than is judged in the end. */
export async function openBatch(deps: FindTermsDeps, tx: Transaction, arrivals: readonly Arrival[]): Promise<Opened> {
  const tenants = arrivals.map(({ tenant }) => tenant);
  const [docket, terms] = await Promise.all([loadDocket(tx, arrivals), findTerms(deps, tenants)]);
  return { docket, terms };
}

/**
 * Judges everything that arrived, in one transaction: the decisions, their record and their announcement are committed together.
 * `opened` is over these arrivals, and perhaps over more.
 */
export async function judgeBatch<A extends Arrival>(
  deps: JudgeDeps,
  tx: Transaction,
  arrivals: readonly A[],
  opened?: Opened,
): Promise<Judged<A>> {
  const { docket, terms } = opened ?? (await openBatch(deps, tx, arrivals));
  // The clock does not wait for a merchant; everything else would be judged by rules that are not known.
  const isClock = ({ kind }: A) => kind === 'expiry' || kind === 'window' || kind === 'unpayable' || kind === 'review';
  const ready = arrivals.filter((arrival) => isClock(arrival) || terms.has(tenantKey(arrival.tenant)));
  const postponed = arrivals.filter((arrival) => !ready.includes(arrival));

  const now = deps.now();
  const rulings = judge(docket, ready, {
    now,
    newId: deps.newId,
    termsOf: (tenant) => terms.get(tenantKey(tenant)) ?? noTerms(deps.settings),
  });
  storeDocket(tx, docket);
  insertDisputes(tx, rulings.disputes, now);
  recordDecisions(deps, tx, rulings.matches, docket, now);
  insertSwitchOffs(tx, doubtfulIntents(docket, ready, terms), SECOND_LOOK_MS);
  const drafts = announcements(rulings, now);
  if (drafts.length > 0) await deps.messaging.publish(tx, drafts);
  for (const { queue, drafts } of repetitions(rulings, now)) await deps.messaging.publish(tx, drafts, { queue });
  tx.onCommit(() => record(deps, rulings));
  return { docket, postponed, verdicts: rulings.verdicts };
}

/**
 * New intents that could not be paid by the facts that are known here. Those may be older than the ones it was made by, so it is looked at
 * again when they have had time to come.
 */
function doubtfulIntents(docket: Docket, arrivals: readonly Arrival[], terms: Opened['terms']) {
  return arrivals.flatMap((arrival) => {
    if (arrival.kind !== 'intent') return [];
    const { tenant, intent } = arrival;
    const known = terms.get(tenantKey(tenant));
    const isPending = docket.intents.get(intent.id)?.status === 'PENDING';
    if (!isPending || known === undefined) return [];
    const isClosed = (id: string) => !known.activeReceivers.has(id);
    const reason = whyUnpayable(intent, { merchantIsActive: true, ...known, isClosed });
    return reason === undefined ? [] : [{ tenant, intentId: intent.id }];
  });
}

function record(deps: JudgeDeps, { matches, claims, disputes, conflicts }: Rulings): void {
  for (const conflict of conflicts) deps.messaging.reportConflict(conflict);
  const now = deps.now();
  for (const ruling of matches) {
    countDecision(deps.metrics, ruling, now);
    if (ruling.reason === 'intent_expired') deps.metrics.expired.inc({ environment: ruling.tenant.environment });
    deps.log.info(lineOf(ruling, now), 'match.decided');
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
      'claim.judged',
    );
  }
  for (const { tenant, intentId, smsEventId, paidIntentId } of disputes) {
    deps.log.info({ ...tenant, intentId, smsEventId, paidIntentId }, 'claim.disputed');
  }
}

function lineOf(ruling: MatchRuling, now: Date) {
  return {
    ...ruling.tenant,
    matchId: ruling.matchId,
    decisionId: ruling.decisionId,
    smsEventId: ruling.evidence?.smsEventId ?? ruling.sms?.id,
    intentId: ruling.paymentIntentId,
    status: ruling.status,
    reason: ruling.reason,
    path: ruling.path,
    failedRules: ruling.checks === undefined ? undefined : failedRules(ruling.checks),
    intentStatus: ruling.intent?.status,
    paidInTime: ruling.paidInTime,
    decidedBy: ruling.decidedBy,
    durationMs: ruling.ingestedAt === undefined ? undefined : now.getTime() - ruling.ingestedAt.getTime(),
  };
}
