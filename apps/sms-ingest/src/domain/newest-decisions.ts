import {
  compareSequences,
  type Environment,
  type EventOf,
  type MatchDecided,
  type MatchReason,
  type SmsStatus,
} from '@pay/contracts';

/** Statuses whose reason is stored with the SMS. */
const WITH_REASON: readonly SmsStatus[] = ['FAILED', 'REJECTED', 'UNPARSED'];

const REOPENED: MatchReason = 'reopened';
const METHOD_NOT_ALLOWED: MatchReason = 'method_not_allowed';

type MatchEvent = Pick<EventOf, 'merchantId' | 'environment' | 'epoch'> & { readonly data: MatchDecided };

export interface NewestDecision {
  readonly smsEventId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** Epoch of the reconciler's database; null if the event had none. */
  readonly epoch: number | null;
  readonly sequence: number;
  readonly status: SmsStatus;
  readonly matchStatus: MatchDecided['matchStatus'];
  readonly paymentIntentId: string | null;
  readonly failureReason: string | null;
}

/** The decision with the highest sequence per SMS. Events may be late, repeated and out of order. */
export function newestDecisions(events: readonly MatchEvent[]): NewestDecision[] {
  const newest = new Map<string, NewestDecision>();
  for (const { merchantId, environment, epoch, data } of events) {
    const { sms } = data;
    if (sms === null || merchantId === null || environment === null) continue;
    const known = newest.get(sms.id);
    if (known !== undefined && compareSequences({ epoch, sequence: sms.sequence }, known) <= 0) continue;
    newest.set(sms.id, {
      smsEventId: sms.id,
      merchantId,
      environment,
      epoch: epoch ?? null,
      sequence: sms.sequence,
      status: sms.status,
      matchStatus: data.matchStatus,
      paymentIntentId: data.paymentIntentId,
      failureReason: failureReasonOf(sms.status, data.reason),
    });
  }
  return [...newest.values()];
}

/** Only a method that is not allowed makes a match FAILED; the decision that reopens one says only `reopened`. */
function failureReasonOf(status: SmsStatus, reason: string): string | null {
  if (status === 'FAILED' && reason === REOPENED) return METHOD_NOT_ALLOWED;
  return WITH_REASON.includes(status) ? reason : null;
}
