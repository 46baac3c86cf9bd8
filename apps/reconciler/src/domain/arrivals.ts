import type { IntentFailureReason, SmsSignal, SubmissionNumbers, Tenant } from '@pay/contracts';
import type { Claim, Evidence, Intent } from './facts';
import type { ReviewArrival } from './decide-review';

/** A new fact for the reconciler: an event, a claim, an action of a reviewer, or a passed deadline. */
export type Arrival =
  | IntentArrival
  | SmsArrival
  | {
      readonly kind: 'unparsed';
      readonly tenant: Tenant;
      readonly smsEventId: string;
      readonly ingestedAt: Date;
      readonly reason: string;
      /** sms-ingest's sequence of this parsed text. */
      readonly sequence: number;
      readonly epoch?: number | undefined;
    }
  | SignalsArrival
  | ClaimArrival
  | ExpiryArrival
  | UnpayableArrival
  | WindowArrival
  | ReopenedArrival
  | ReviewArrival;

export interface SmsArrival {
  readonly kind: 'sms';
  readonly tenant: Tenant;
  readonly evidence: Evidence;
  /** sms-ingest has published it before and has no decision about it. */
  readonly decisionMissing?: boolean | undefined;
}

/** intent-api's facts of an intent; the decision sequence in it is not read. */
export interface IntentArrival {
  readonly kind: 'intent';
  readonly tenant: Tenant;
  readonly intent: Intent;
}

/** The current signals of a text. */
export interface SignalsArrival {
  readonly kind: 'signals';
  readonly tenant: Tenant;
  readonly smsEventId: string;
  readonly signals: readonly SmsSignal[];
  readonly sequence: number;
  readonly epoch?: number | undefined;
}

/** One submission of a claim; `submittedAt` is its time of arrival at checkout. */
export type Submission = Pick<Claim, 'id' | 'intentId' | 'trxId' | 'submittedAt'> & {
  readonly payerDigits?: string | undefined;
  readonly submissionNumbers?: SubmissionNumbers | undefined;
};

export interface ClaimArrival {
  readonly kind: 'claim';
  readonly tenant: Tenant;
  readonly claim: Submission;
  /** checkout-api has published it before and has no decision about it. */
  readonly decisionMissing?: boolean | undefined;
}

/** An intent is past its expiry and no earlier SMS or claim is undecided. */
export interface ExpiryArrival {
  readonly kind: 'expiry';
  readonly tenant: Tenant;
  readonly intentId: string;
}

/** Every way to pay an intent has been switched off. */
export interface UnpayableArrival {
  readonly kind: 'unpayable';
  readonly tenant: Tenant;
  readonly intentId: string;
  readonly referenceKey: string;
  readonly reason: IntentFailureReason;
}

/** A person has reopened a text: intents and claims that arrived while it was closed may lead to it. */
export interface ReopenedArrival {
  readonly kind: 'reopened';
  readonly tenant: Tenant;
  readonly smsEventId: string;
}

/** The match window of waiting evidence is over. */
export interface WindowArrival {
  readonly kind: 'window';
  readonly tenant: Tenant;
  readonly smsEventId: string;
}
