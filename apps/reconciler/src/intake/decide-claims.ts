import { type DecideClaimRequest, type DecideClaimResponse, BusinessError } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { Arrival, ClaimArrival } from '../domain/arrivals';
import { shownSmsEventId } from '../domain/decide-claim';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';
import { refreshIntent, type RefreshIntentDeps } from './refresh-intent';

/** A claim with the facts that were fetched for it. */
export interface ClaimSubmission {
  readonly claim: ClaimArrival;
  readonly with: readonly Arrival[];
}

export interface DecideClaimDeps extends RefreshIntentDeps {
  /** Decides concurrent submissions in one transaction. */
  readonly submit: (submission: ClaimSubmission) => Promise<DecideClaimResponse | undefined>;
}

/** Decides a claim immediately, in the same way as its event. A repeated call returns the current result. */
export async function decideClaim(deps: DecideClaimDeps, request: DecideClaimRequest): Promise<DecideClaimResponse> {
  const tenant = { merchantId: request.merchantId, environment: request.environment };
  const fetched = await refreshIntent(deps, tenant, request.paymentIntentId, {
    epoch: request.intentEpoch,
    sequence: request.intentSequence,
  });
  const claim: ClaimArrival = {
    kind: 'claim',
    tenant,
    claim: {
      id: request.claimId,
      intentId: request.paymentIntentId,
      trxId: request.trxId,
      submittedAt: new Date(request.submittedAt),
      payerDigits: request.payerDigits ?? undefined,
      submissionNumbers: request.submissionNumbers,
    },
  };
  const answer = await deps.submit({ claim, with: fetched });
  if (answer === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
  return answer;
}

/** One transaction over several submissions; undefined for those that cannot be decided yet. */
export async function decideClaims(
  deps: DecideDeps,
  tx: Transaction,
  submissions: readonly ClaimSubmission[],
): Promise<(DecideClaimResponse | undefined)[]> {
  const arrivals: Arrival[] = submissions.flatMap((submission) => [...submission.with, submission.claim]);
  const { workingSet, postponed } = await decideBatch(deps, tx, arrivals);
  return submissions.map(({ claim: arrival }) => {
    const claim = workingSet.claims.get(arrival.claim.id);
    const intent = workingSet.intents.get(arrival.claim.intentId);
    if (postponed.includes(arrival) || claim === undefined || intent === undefined) return undefined;
    return { outcome: claim.outcome, smsEventId: shownSmsEventId(claim) ?? null, intentStatus: intent.status };
  });
}
