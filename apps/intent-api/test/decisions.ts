import type { EventOf, IntentStatus, MatchDecided } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { createMetrics } from '@pay/runtime';
import { uuidv7 } from 'uuidv7';
import { applyDecisions, lockDecided } from '../src/decisions/apply-decisions';
import { intentMetrics } from '../src/intents/intent-metrics';
import { NAGAD, quietLog, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';

export const DECIDED_AT = new Date('2026-11-21T04:05:06.789Z');
export const EVIDENCE: NonNullable<MatchDecided['evidence']> = {
  smsEventId: uuidv7(),
  provider: 'NAGAD',
  paymentMethod: 'NAGAD_SEND_MONEY',
  trxId: 'DKL4A1B2C3',
  amount: '500',
  receiverAccountId: uuidv7(),
  receiverMsisdn: NAGAD.msisdn,
  providerTime: '2026-11-21T04:05:00Z',
  ingestedAt: '2026-11-21T04:05:05Z',
};

export type DecisionDraft = ReturnType<typeof decisionOn>;

/** The event of the reconciler's decision with this sequence about an intent. */
export function decisionOn(
  owner: Pick<MerchantUnderTest, 'id' | 'environment'>,
  intentId: string,
  status: IntentStatus,
  sequence = 1,
  change: Partial<MatchDecided> = {},
) {
  return draft('match.confirmed', {
    environment: owner.environment,
    merchantId: owner.id,
    aggregateId: uuidv7(),
    sequence: 1,
    occurredAt: DECIDED_AT,
    data: {
      matchId: uuidv7(),
      matchStatus: 'MATCHED',
      path: 'REFERENCE',
      reason: 'reference_match',
      checks: null,
      decidedBy: 'system',
      paymentIntentId: intentId,
      intent: { id: intentId, status, sequence },
      sms: null,
      evidence: EVIDENCE,
      ...change,
    },
  });
}

/** Calls the use case with a batch in one transaction, like the consumer. */
export async function apply({ db, messaging }: ServiceUnderTest, ...drafts: DecisionDraft[]) {
  const deps = { messaging, log: quietLog, metrics: intentMetrics(createMetrics('spec')), now: () => new Date() };
  const events = drafts as unknown as EventOf[];
  return db.transaction(async (tx) => applyDecisions(deps, tx, events, await lockDecided(tx, events)));
}
