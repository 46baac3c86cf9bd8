import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { ChangeNews } from './change-news';
import { findClaim, insertClaims, type Claim } from './db/claims';

/**
 * Stores a group of claims and their `claim.submitted` in the caller's transaction. A claim that was made before is answered as it
 * was made then: the time of the first submission is the one that counts.
 */
export async function submitClaims(
  { messaging, news }: { messaging: Pick<Messaging, 'publish'>; news: Pick<ChangeNews, 'tell'> },
  tx: Transaction,
  claims: readonly Claim[],
): Promise<Claim[]> {
  const inserted = await insertClaims(tx, claims);
  const stored: Claim[] = [];
  for (const claim of claims) {
    stored.push(inserted.has(claim.id) ? claim : ((await findClaim(tx, claim.intentId, claim.trxId)) ?? claim));
  }
  const added = claims.filter((claim) => inserted.has(claim.id));
  if (added.length > 0) {
    await messaging.publish(tx, added.map(submittedEvent));
    tx.onCommit(() => news.tell([...new Set(added.map(({ intentId }) => intentId))]));
  }
  return stored;
}

function submittedEvent(claim: Claim) {
  const submittedAt = claim.submittedAt.toISOString();
  return draft('claim.submitted', {
    environment: claim.environment,
    merchantId: claim.merchantId,
    aggregateId: claim.id,
    sequence: 1,
    occurredAt: submittedAt,
    data: { claimId: claim.id, paymentIntentId: claim.intentId, trxId: claim.trxId, submittedAt },
  });
}
