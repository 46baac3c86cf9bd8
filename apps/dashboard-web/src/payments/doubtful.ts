import type { EvidenceFile } from '@pay/contracts';
import { isPassedOver } from '../text/signal-text';

/** Whether the balances of later texts contradict the text that paid the intent. */
export function isDoubtful({ paymentIntentId, payment, judgement }: EvidenceFile): boolean {
  if (judgement === null || (payment ?? judgement.intent).status !== 'PAID') return false;
  const paying = judgement.decisions.flatMap((decision) =>
    decision.paymentIntentId === paymentIntentId && decision.intentStatus === 'PAID' ? [decision.smsEventId] : [],
  );
  // Without a decision, the file contains only the text that paid and those that the intent has claimed.
  const onlyClaimed = judgement.claims.flatMap(({ outcome, smsEventId }) => (outcome === 'matched' ? [] : smsEventId));
  return judgement.sms.some(
    ({ smsEventId, signals }) =>
      isPassedOver(signals) && (paying.length === 0 ? !onlyClaimed.includes(smsEventId) : paying.includes(smsEventId)),
  );
}
