import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { ChangeNotifications } from '../intent-copies/change-notifications';
import { findClaim, storeSubmissions, type Claim } from './claim-repository';
import { enterIntake } from './intake-lock-repository';

/**
 * Stores a group of claims and their `claim.submitted` in the caller's transaction. A claim that is submitted again
 * keeps its id and is decided by its latest time, because a customer may enter the TrxID before paying.
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
  const submitted = await storeSubmissions(tx, latestOfEach(claims));
  const byKey = new Map(submitted.map((claim) => [keyOf(claim), claim]));
  const stored: Claim[] = [];
  for (const claim of claims) {
    stored.push(byKey.get(keyOf(claim)) ?? (await findClaim(tx, claim.intentId, claim.trxId)) ?? claim);
  }
  if (submitted.length > 0) {
    await messaging.publish(
      tx,
      submitted.map((claim) => submittedEvent(claim)),
    );
    tx.onCommit(() => notifications.notify([...new Set(submitted.map(({ intentId }) => intentId))]));
  }
  return stored;
}

const keyOf = ({ intentId, trxId }: Claim) => `${intentId} ${trxId}`;

/**
 * A statement can write a row only once, so submissions of one claim are merged: the last one, with payer data of the
 * others.
 */
function latestOfEach(claims: readonly Claim[]): Claim[] {
  const latest = new Map<string, Claim>();
  for (const claim of claims) {
    const other = latest.get(keyOf(claim));
    const [older, newer] =
      other === undefined || other.submittedAt <= claim.submittedAt ? [other, claim] : [claim, other];
    latest.set(keyOf(claim), { ...newer, payerDigits: newer.payerDigits ?? older?.payerDigits });
  }
  return [...latest.values()];
}

/** `decisionMissing` means that the claim was published before and has no stored decision. */
export function submittedEvent(claim: Claim, again: { readonly decisionMissing?: true } = {}) {
  const submittedAt = claim.submittedAt.toISOString();
  return draft('claim.submitted', {
    environment: claim.environment,
    merchantId: claim.merchantId,
    aggregateId: claim.id,
    sequence: claim.submissions,
    occurredAt: submittedAt,
    data: {
      claimId: claim.id,
      paymentIntentId: claim.intentId,
      trxId: claim.trxId,
      submittedAt,
      ...(claim.payerDigits !== undefined && { payerDigits: claim.payerDigits }),
      ...again,
    },
  });
}
