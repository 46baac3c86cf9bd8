import {
  type ConfirmResponse,
  type ErrorCode,
  type DecideClaimRequest,
  type DecideClaimResponse,
  BusinessError,
} from '@pay/contracts';
import type { CheckoutMetrics } from '../checkouts/checkout-metrics';
import type { Claim } from './claim-repository';
import { confirmAnswer, stillProcessing } from '../domain/confirm-answer';
import type { Checkout, IntentCopy } from '../domain/intent-copy';
import type { IntentWatch } from '../intent-copies/intent-watch';
import type { WaitingClaims } from './waiting-claims';
import type { ServiceDeps } from '../service-deps';

/** Maximum wait of a response for the effect of the decision on the intent. */
const APPLIED_WITHIN_MS = 2_000;

export interface ConfirmPaymentDeps extends Pick<ServiceDeps, 'log' | 'now' | 'newId'> {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  /** Commits the claim together with other waiting ones. */
  readonly submit: (claim: Claim) => Promise<Claim>;
  readonly waiting: Pick<WaitingClaims, 'untilStored'>;
  /** Undefined after a timeout. */
  readonly requestDecision: (request: DecideClaimRequest) => Promise<DecideClaimResponse | undefined>;
  readonly watch: Pick<IntentWatch, 'until'>;
  readonly metrics: CheckoutMetrics;
}

interface ClaimInput {
  readonly intentId: string;
  readonly trxId: string;
  readonly payerDigits?: string | undefined;
}

/** The claim is committed before the decision is requested. */
export async function confirmPayment(deps: ConfirmPaymentDeps, input: ClaimInput): Promise<ConfirmResponse> {
  // Read first, because the time of arrival decides whether the payment can precede the claim.
  const submittedAt = deps.now();
  const { copy, claim } = await deps.waiting.untilStored(() => storeClaim(deps, input, submittedAt));
  const { merchantId, environment } = copy;
  const decision = await deps.requestDecision({
    claimId: claim.id,
    merchantId,
    environment,
    paymentIntentId: claim.intentId,
    trxId: claim.trxId,
    submittedAt: claim.submittedAt.toISOString(),
    ...(claim.payerDigits !== undefined && { payerDigits: claim.payerDigits }),
    submissionNumbers: claim.submissionNumbers ?? { first: 1, last: 0 },
    intentSequence: copy.sequence,
    intentEpoch: copy.epoch,
  });
  record(deps, claim, submittedAt, decision);
  if (decision === undefined) return stillProcessing(copy.intent.id);

  await applied(deps, copy, decision);
  const answer = confirmAnswer(copy.intent.id, decision.outcome, decision.smsEventId);
  if (answer.kind === 'refused') throw new BusinessError(answer.code satisfies ErrorCode);
  return answer.response;
}

async function storeClaim(
  { findCheckout, submit, newId }: ConfirmPaymentDeps,
  { intentId, trxId, payerDigits }: ClaimInput,
  submittedAt: Date,
): Promise<{ readonly copy: IntentCopy; readonly claim: Claim }> {
  const { copy } = await findCheckout(intentId);
  const { merchantId, environment } = copy;
  const named = { intentId: copy.intent.id, trxId, payerDigits };
  const claim = await submit({ ...named, id: newId(), merchantId, environment, submittedAt });
  return { copy, claim };
}

/**
 * Waits until intent-api has applied the decision, so that a merchant who reads the API next does not see an older
 * state.
 */
async function applied(
  { watch }: ConfirmPaymentDeps,
  copy: IntentCopy,
  { intentStatus }: DecideClaimResponse,
): Promise<void> {
  // A decision that leaves the intent pending needs no wait. The copy may be newer than the decision.
  if (intentStatus === 'PENDING' || copy.intent.status === intentStatus) return;
  await watch.until(copy.intent.id, ({ intent }) => intent.status === intentStatus, APPLIED_WITHIN_MS);
}

function record(
  { log, metrics, now }: ConfirmPaymentDeps,
  claim: Claim,
  startedAt: Date,
  decision: DecideClaimResponse | undefined,
): void {
  const outcome = decision?.outcome ?? 'processing';
  metrics.decided.inc({ environment: claim.environment, outcome });
  log.info(
    {
      claimId: claim.id,
      intentId: claim.intentId,
      merchantId: claim.merchantId,
      environment: claim.environment,
      outcome,
      smsEventId: decision?.smsEventId ?? null,
      durationMs: now().getTime() - startedAt.getTime(),
    },
    'claim.decided',
  );
}
