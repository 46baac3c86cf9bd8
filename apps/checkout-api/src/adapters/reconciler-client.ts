import {
  expireIntentResponseSchema,
  decideClaimResponseSchema,
  type IntentStatus,
  type DecideClaimRequest,
  type DecideClaimResponse,
} from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Logger } from '@pay/runtime';
import type { IntentCopy } from '../domain/intent-copy';

export interface ReconcilerDeps {
  readonly client: Pick<ServiceClient, 'request'>;
  readonly log: Logger;
}

/** Undefined after a timeout. The claim is in the outbox, so it will be decided anyway. */
export function requestDecision(
  { client, log }: ReconcilerDeps,
  request: DecideClaimRequest,
): Promise<DecideClaimResponse | undefined> {
  return answerOrNothing(log, 'claim', () =>
    client.request('POST', '/internal/v1/claims', {
      body: request,
      tenant: { merchantId: request.merchantId, environment: request.environment },
      schema: decideClaimResponseSchema,
      idempotent: true,
    }),
  );
}

/** Requests the expiry of an overdue intent. Undefined after a timeout: the expiry worker settles the intent anyway. */
export async function askExpiry({ client, log }: ReconcilerDeps, copy: IntentCopy): Promise<IntentStatus | undefined> {
  const answer = await answerOrNothing(log, 'expiry', () =>
    client.request('POST', `/internal/v1/intents/${copy.intent.id}/expire`, {
      body: { intentSequence: copy.sequence, intentEpoch: copy.epoch },
      tenant: { merchantId: copy.merchantId, environment: copy.environment },
      schema: expireIntentResponseSchema,
      idempotent: true,
    }),
  );
  return answer?.intentStatus;
}

async function answerOrNothing<T>(
  log: Logger,
  question: 'claim' | 'expiry',
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    log.warn({ question, err: error }, 'reconciler.not_reached');
    return undefined;
  }
}
