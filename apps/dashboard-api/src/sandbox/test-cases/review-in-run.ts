import { randomUUID } from 'node:crypto';
import { reviewAnswerSchema, type SmsMatch } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { recordAction } from '../../changes/record-action';
import type { ManageDeps } from '../../changes/on-behalf-of';
import { DONE_REVIEW, findException, reviewFacts, type ReviewExceptionDeps } from '../../reviews/review-exception';
import type { RunInput } from './player-deps';

export interface ReviewInRunDeps extends Omit<ManageDeps, 'messaging'> {
  readonly db: Database;
  readonly reconciler: ReviewExceptionDeps['reconciler'];
}

/**
 * The actor is the user or API key that started the run. The audit log contains the request and the result, as for
 * every review.
 */
export async function reviewInRun(
  deps: ReviewInRunDeps,
  { id: testRunId, merchantId, startedBy }: Pick<RunInput, 'id' | 'merchantId' | 'startedBy'>,
  match: Pick<SmsMatch, 'id' | 'receivedAmount'>,
  action: 'resolve' | 'reject',
  expectedAmount: string,
): Promise<void> {
  const requestId = randomUUID();
  const reason = `Test run ${testRunId}`;
  const amounts = { acknowledgeAmountDifference: true, expectedAmount, receivedAmount: match.receivedAmount };
  const body = { action, requestId, reason, ...(action === 'resolve' && amounts) };
  const before = reviewFacts(await findException(deps, merchantId, match.id));
  const record = (name: string, after: object) =>
    deps.db.transaction((tx) =>
      recordAction({ ...deps, actor: startedBy }, tx, {
        action: name,
        subjectId: match.id,
        merchantId,
        environment: 'SANDBOX',
        before,
        after: { ...after, testRunId },
      }),
    );

  await record(`exception.${action}_asked`, body);
  const { refusal, item } = await deps.reconciler.request(
    'POST',
    `/internal/v1/exceptions/${match.id}/actions?merchantId=${merchantId}`,
    { schema: reviewAnswerSchema, body, actor: `${starterOf(startedBy)}:REVIEWER`, idempotent: true },
  );
  if (refusal !== null) {
    await record(`exception.${action}_refused`, { requestId, code: refusal.code });
    throw new Error(`The review was refused: ${refusal.code}.`);
  }
  await record(DONE_REVIEW[action], { requestId, reason, ...reviewFacts(item) });
}

function starterOf(startedBy: string): string {
  return startedBy.slice(startedBy.indexOf(':') + 1);
}
