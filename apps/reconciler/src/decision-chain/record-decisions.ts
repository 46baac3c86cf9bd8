import type { Transaction } from '@pay/persistence';
import { insertDecisions } from './decision-repository';
import type { DecisionChain } from './decision-chain';
import type { MatchDecision } from '../domain/matching-session';
import { canonicalJson, decisionRecord, paymentFacts } from '../domain/decision-record';
import type { WorkingSet } from '../domain/working-set';

export interface RecordDecisionsDeps {
  readonly decisionChain: DecisionChain;
}

/** Stores the signed records of decisions in their transaction. Must be called wherever decisions are published. */
export function recordDecisions(
  { decisionChain }: RecordDecisionsDeps,
  tx: Transaction,
  decisions: readonly MatchDecision[],
  workingSet: WorkingSet,
  decidedAt: Date,
): void {
  insertDecisions(
    tx,
    decisions.map((matchDecision) => {
      const decision = decisionRecord(matchDecision, workingSet, decidedAt);
      const record = canonicalJson(decision);
      return { decision, payment: paymentFacts(matchDecision, decidedAt), record, signed: decisionChain.sign(record) };
    }),
  );
}
