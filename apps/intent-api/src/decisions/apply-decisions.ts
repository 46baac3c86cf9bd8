import {
  compareSequences,
  eventsOf,
  MATCH_TYPES_OF_INTENTS,
  type EventOf,
  type MatchType,
  type SequencePair,
} from '@pay/contracts';
import { draft, PermanentError, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { countIntents } from '../intents/intent-counter-repository';
import { lockIntents, moveIntents } from '../intents/move-intent-repository';
import { addDailyTotals } from '../receivers/receiver-daily-total-repository';
import { countedOver } from '../domain/counted';
import { ANNOUNCED_AS } from '../domain/lifecycle';
import { effectOf, type Confirmation, type Move } from '../domain/decision-effect';
import type { StoredIntent } from '../domain/stored-intent';
import { dailyTotalsOf } from '../domain/daily-totals';
import type { IntentMetrics } from '../intents/intent-metrics';
import type { ServiceDeps } from '../service-deps';

export interface ApplyDecisionsDeps extends Pick<ServiceDeps, 'log' | 'now'> {
  readonly messaging: Pick<Messaging, 'publish' | 'reportConflict'>;
  readonly metrics: IntentMetrics;
}

type MatchEvent = EventOf<MatchType>;
/** Key: the id. Values: the state that was read under the lock. */
export type DecidedIntents = ReadonlyMap<string, StoredIntent>;
/** `smsAt` is the time at which the SMS of a payment by reference was received. */
type AppliedMove = Move & { readonly occurredAt: string; readonly smsAt: string | undefined };
type Written = AppliedMove | Confirmation;

export async function lockDecided(tx: Transaction, events: readonly EventOf[]): Promise<DecidedIntents> {
  const ids = eventsOf(events, ...MATCH_TYPES_OF_INTENTS).flatMap(({ data }) => data.intent?.id ?? []);
  if (ids.length === 0) return new Map();
  return new Map((await lockIntents(tx, [...new Set(ids)])).map((stored) => [stored.intent.id, stored]));
}

/**
 * Applies the reconciler's decisions to their intents, per intent in the order of their sequence, and publishes every
 * move. `notYet` contains the ids of events that arrived before an earlier decision about the same intent.
 */
export async function applyDecisions(
  deps: ApplyDecisionsDeps,
  tx: Transaction,
  events: readonly EventOf[],
  intents: DecidedIntents,
): Promise<{ notYet: string[] }> {
  const notYet: string[] = [];
  const rounds: Written[][] = [];
  for (const [intentId, decisions] of groupByIntent(eventsOf(events, ...MATCH_TYPES_OF_INTENTS))) {
    const stored = intents.get(intentId);
    if (stored === undefined) throw new PermanentError('the decision is about an intent that does not exist');
    const { written, waiting, conflicts } = playThrough(stored, decisions);
    written.forEach((move, round) => (rounds[round] ??= []).push(move));
    notYet.push(...waiting);
    for (const { epoch, data } of conflicts) {
      const conflict = {
        subject: 'decision',
        id: intentId,
        epoch: epoch ?? null,
        sequence: data.intent?.sequence ?? 0,
      } as const;
      tx.onCommit(() => deps.messaging.reportConflict(conflict));
    }
  }
  const written = rounds.flat();
  const moves = written.filter((move) => 'decision' in move);
  if (written.length === 0) return { notYet };

  // Several moves of one intent are written one after the other, so that the database checks each of them.
  for (const round of rounds) await moveIntents(tx, round);
  tx.onCommit(() => {
    for (const { to, next } of written.filter((move) => !('decision' in move)))
      deps.log.warn({ intentId: next.intent.id, status: to, epoch: next.decisionEpoch }, 'intent.decision_confirmed');
  });
  if (moves.length === 0) return { notYet };
  countIntents(tx, countedOver(moves));
  addDailyTotals(tx, dailyTotalsOf(moves));
  await deps.messaging.publish(tx, moves.map(announcement));
  tx.onCommit(() => {
    for (const move of moves) record(deps, move);
  });
  return { notYet };
}

function groupByIntent(events: readonly MatchEvent[]): Map<string, MatchEvent[]> {
  const groups = new Map<string, MatchEvent[]>();
  for (const event of events) {
    if (event.data.intent === null) continue;
    const group = groups.get(event.data.intent.id) ?? [];
    groups.set(event.data.intent.id, [...group, event]);
  }
  return groups;
}

function playThrough(
  start: StoredIntent,
  decisions: readonly MatchEvent[],
): { written: Written[]; waiting: string[]; conflicts: MatchEvent[] } {
  const inSequence = decisions.toSorted((a, b) => compareSequences(pairOf(a), pairOf(b)));
  const written: Written[] = [];
  const waiting: string[] = [];
  const conflicts: MatchEvent[] = [];
  let current = start;
  for (const event of inSequence) {
    const effect = effectOf(current, event);
    switch (effect.kind) {
      case 'apply':
        current = effect.move.next;
        written.push({ ...effect.move, occurredAt: event.occurredAt, smsAt: smsTimeOf(event) });
        break;
      case 'confirm':
        current = effect.confirmation.next;
        written.push(effect.confirmation);
        break;
      case 'conflict':
        conflicts.push(event);
        break;
      case 'wait':
        waiting.push(event.id);
        break;
      case 'refuse':
        throw new PermanentError(effect.reason);
      case 'ignore':
        break;
    }
  }
  return { written, waiting, conflicts };
}

/** Time of the SMS for the latency metric. Decisions of claims and reviews wait for people, so they have none. */
function smsTimeOf({ data: { path, decidedBy, evidence } }: MatchEvent): string | undefined {
  return path === 'REFERENCE' && decidedBy === 'system' ? evidence?.ingestedAt : undefined;
}

function pairOf({ epoch, data }: MatchEvent): SequencePair {
  return { epoch, sequence: data.intent?.sequence ?? 0 };
}

function announcement({ to, next, decision, occurredAt }: AppliedMove) {
  return draft(ANNOUNCED_AS[to], {
    environment: next.environment,
    merchantId: next.merchantId,
    aggregateId: next.intent.id,
    sequence: next.sequence,
    occurredAt,
    data: { intent: next.intent, decision },
  });
}

function record({ log, metrics, now }: ApplyDecisionsDeps, { from, to, next, decision, smsAt }: AppliedMove): void {
  const { merchantId, environment, intent } = next;
  metrics.settled.inc({ environment, status: to });
  if (to === 'PAID' && smsAt !== undefined && Date.parse(smsAt) >= Date.parse(intent.createdAt)) {
    metrics.smsToPaid.observe({ environment }, Math.max(0, now().getTime() - Date.parse(smsAt)) / 1_000);
  }
  log.info(
    {
      intentId: intent.id,
      merchantId,
      environment,
      from,
      to,
      matchId: decision.matchId,
      path: decision.path,
      reason: decision.reason,
      decidedBy: decision.decidedBy,
    },
    'intent.settled',
  );
}
