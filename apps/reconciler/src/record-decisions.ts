import type { Transaction } from '@pay/persistence';
import { insertDecisions } from './db/decisions';
import type { DecisionChain } from './decision-chain';
import type { MatchRuling } from './domain/court';
import { canonicalJson, decisionRecord } from './domain/decision-record';
import type { Docket } from './domain/docket';

export interface RecordDecisionsDeps {
  readonly decisionChain: DecisionChain;
}

/** Keeps what was decided, signed, in the transaction of the decisions. Everybody who announces rulings calls it. */
export function recordDecisions(
  { decisionChain }: RecordDecisionsDeps,
  tx: Transaction,
  rulings: readonly MatchRuling[],
  docket: Docket,
  decidedAt: Date,
): void {
  insertDecisions(
    tx,
    rulings.map((ruling) => {
      const decision = decisionRecord(ruling, docket, decidedAt);
      const record = canonicalJson(decision);
      return { decision, record, signed: decisionChain.sign(record) };
    }),
  );
}
