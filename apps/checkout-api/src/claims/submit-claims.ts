import { draft, type EventDraft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { ChangeNotifications } from '../intent-copies/change-notifications';
import { findClaim, storeSubmissions, type Claim, type Submission } from './claim-repository';
import { groupSubmissions, keyOf } from './group-submissions';
import { enterIntake } from './intake-lock-repository';

/**
 * Stores a group of claims and their `claim.submitted` in the caller's transaction. A claim that is submitted again
 * keeps its id and is decided by its times, because a customer may enter the TrxID before paying.
 */
export async function submitClaims(
  {
    messaging,
    notifications,
  }: { messaging: Pick<Messaging, 'publish'>; notifications: Pick<ChangeNotifications, 'notify'> },
  tx: Transaction,
  claims: readonly Claim[],
): Promise<Claim[]> {
  enterIntake(tx);
  const { rounds, withOtherTrxIds, storedAs } = groupSubmissions(claims);
  const submitted = new Map<Claim, Claim>();
  const events: EventDraft[] = [];
  for (const round of rounds) {
    const given = new Map(round.map((claim) => [keyOf(claim), claim]));
    for (const row of await storeSubmissions(tx, round, withOtherTrxIds)) {
      const submission = given.get(keyOf(row));
      if (submission === undefined) continue;
      const claim = { ...row, submittedAt: submission.submittedAt };
      submitted.set(submission, claim);
      // The previous version of the reconciler answers a submission before the latest one only on request.
      events.push(submittedEvent(claim, row.submittedAt > claim.submittedAt ? { decisionMissing: true } : {}));
    }
  }
  const stored: Claim[] = [];
  for (const claim of claims) {
    stored.push(submitted.get(storedAs(claim)) ?? (await findClaim(tx, claim.intentId, claim.trxId)) ?? claim);
  }
  if (events.length > 0) {
    await messaging.publish(
      tx,
      events.toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt)),
    );
    tx.onCommit(() => notifications.notify([...new Set([...submitted.values()].map(({ intentId }) => intentId))]));
  }
  return stored;
}

/** `decisionMissing` requests the decision also if it does not change. */
export function submittedEvent(claim: Submission, again: { readonly decisionMissing?: true } = {}) {
  const submittedAt = claim.submittedAt.toISOString();
  return draft('claim.submitted', {
    environment: claim.environment,
    merchantId: claim.merchantId,
    aggregateId: claim.id,
    sequence: claim.submissionNumbers.last,
    occurredAt: submittedAt,
    data: {
      claimId: claim.id,
      paymentIntentId: claim.intentId,
      trxId: claim.trxId,
      submittedAt,
      ...(claim.payerDigits !== undefined && { payerDigits: claim.payerDigits }),
      submissionNumbers: claim.submissionNumbers,
      ...again,
    },
  });
}
