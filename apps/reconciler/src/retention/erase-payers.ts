import { containsMsisdn, type ErasedPayers, type ErasePayersRequest } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { eraseEvidence, eraseExpectedPayers, lockEvidence, openIntents } from './payer-repository';

/**
 * Evidence that may still pay automatically. After the match window, which the erasure ends for closed evidence, only a
 * person uses it, who needs no payer number.
 */
const OPEN_STATES: readonly string[] = ['WAITING', 'REVIEW'];

/**
 * Erases the numbers in the evidence of these SMS and in these intents. Decisions contain no payer number, so the chain
 * stays valid.
 */
export async function erasePayers(
  tx: Transaction,
  { merchantId, msisdns, smsEventIds, paymentIntentIds }: ErasePayersRequest,
): Promise<ErasedPayers> {
  // Intents are locked before matches, as in every decision.
  const intents = await eraseExpectedPayers(tx, paymentIntentIds, merchantId);
  const without = (value: string | null) => (value !== null && containsMsisdn(value, msisdns) ? null : value);
  const evidence = (await lockEvidence(tx, smsEventIds, merchantId)).map((before) => {
    const { payerMsisdn, referenceKey } = before;
    return { before, after: { ...before, payerMsisdn: without(payerMsisdn), referenceKey: without(referenceKey) } };
  });
  const open = evidence.filter(({ before }) => OPEN_STATES.includes(before.state));
  const changed = evidence.filter(
    (each) =>
      !open.includes(each) &&
      (each.before.payerMsisdn !== each.after.payerMsisdn || each.before.referenceKey !== each.after.referenceKey),
  );
  await eraseEvidence(
    tx,
    changed.map(({ after }) => after),
  );
  return {
    erased: changed.length + intents,
    openIds: [...open.map(({ before }) => before.smsEventId), ...(await openIntents(tx, paymentIntentIds, merchantId))],
  };
}
