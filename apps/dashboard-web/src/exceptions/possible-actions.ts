import type { ExceptionResponse, IntentStatus } from '@pay/contracts';
import type { Action } from '../text/exception-words';

export type Decision = Exclude<Action, 'assign'>;

/** `conflict`: another reviewer was first, and nothing was applied. */
export type Outcome = 'done' | 'assigned' | 'conflict';

/** The operation of each decision. */
export const OPERATION_OF = {
  resolve: 'resolveException',
  link: 'linkException',
  reject: 'rejectException',
  refunded: 'refundException',
  'not-ours': 'disownException',
  reopen: 'reopenException',
} as const satisfies Readonly<Record<Decision, string>>;

/** Statuses from which a person may declare an intent paid. */
const PAYABLE: readonly IntentStatus[] = ['PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'];

/** The decisions that make sense for an exception, the most likely first. The API checks them again. */
export function possibleDecisions(
  item: Pick<ExceptionResponse, 'status' | 'kind' | 'money' | 'paymentIntentId' | 'intentStatus' | 'matchStatus'>,
): readonly Decision[] {
  if (item.status === 'CLOSED') return item.matchStatus === 'REJECTED' && item.money !== null ? ['reopen'] : [];
  if (item.kind === 'disputed_trx_id') return ['refunded', 'reject'];
  const decisions: Decision[] = [];
  if (item.money !== null) {
    const isPayable =
      item.paymentIntentId !== null && item.intentStatus !== null && PAYABLE.includes(item.intentStatus);
    if (isPayable) decisions.push('resolve');
    decisions.push('link');
  }
  if (item.intentStatus === 'REVIEW_REQUIRED') decisions.push('reject');
  return [...decisions, 'refunded', 'not-ours'];
}
