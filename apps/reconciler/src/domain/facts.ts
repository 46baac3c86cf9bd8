import type { Authenticity, ClaimOutcome, EvidenceRules, SmsSignal } from '@pay/contracts';
import type { IntentStatus, PaymentMethod, Poisha, Provider, Tenant } from '@pay/contracts';

/** An intent in the reconciler: intent-api's facts, and the status, which only the reconciler decides. */
export interface Intent {
  readonly id: string;
  readonly tenant: Tenant;
  readonly referenceKey: string;
  readonly amount: Poisha;
  readonly status: IntentStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Receivers that were shown to the customer. Empty: no method is chosen yet. */
  readonly shownReceivers: readonly ShownReceiver[];
  readonly expectedTrxId: string | undefined;
  /** The payer number that the merchant expects. */
  readonly expectedSenderMsisdn: string | undefined;
  /** intent-api's sequence of these facts, and the epoch of its database where it is known. */
  readonly sourceSequence: number;
  readonly sourceEpoch?: number | undefined;
  /** How often the reconciler has changed the status. */
  readonly decisionSequence: number;
  /** When a person has rejected it. Undefined also for an intent that an earlier version has rejected. */
  readonly rejectedAt?: Date | undefined;
  /** Who has changed the status in this working set: `user:<id>`, or the system when absent. */
  readonly decidedBy?: string;
}

export interface ShownReceiver {
  readonly receiverAccountId: string;
  readonly paymentMethod: PaymentMethod;
}

/**
 * WAITING  leads to no intent yet
 * REVIEW   doubtful; a person may decide, and an intent for which all checks pass may still use it
 * LAPSED   the match window ended while it waited; only a person may use it
 * USED     pays an intent
 * CLOSED   pays no intent unless a person decides so
 */
export type EvidenceState = 'WAITING' | 'REVIEW' | 'LAPSED' | 'USED' | 'CLOSED';

/** A parsed SMS about received money. */
export interface Evidence {
  readonly smsEventId: string;
  readonly tenant: Tenant;
  readonly provider: Provider;
  readonly method: PaymentMethod;
  readonly trxId: string;
  /** The reference key of the Ref field; undefined if it is empty. */
  readonly referenceKey: string | undefined;
  readonly amount: Poisha;
  /** Undefined when the text could belong to several wallets of the device. */
  readonly receiverAccountId: string | undefined;
  readonly receiverMsisdn: string | undefined;
  /** As in the text, possibly masked. */
  readonly payerMsisdn: string | undefined;
  readonly providerTime: Date;
  readonly ingestedAt: Date;
  readonly state: EvidenceState;
  /** How the sender was authenticated. Undefined for texts of earlier versions, which all had a device key. */
  readonly authenticity: Authenticity | undefined;
  /** The current signals of the text. */
  readonly signals: readonly SmsSignal[];
  /**
   * sms-ingest's sequence of these facts, and of these signals; and the epochs of its database where they are known.
   */
  readonly factsSequence: number;
  readonly factsEpoch?: number | undefined;
  readonly signalsSequence: number;
  readonly signalsEpoch?: number | undefined;
  /**
   * Revision of its facts and signals, also stored on its match: if the two differ, they were not read at the same
   * time.
   */
  readonly revision: number;
}

/** Signals of a text that is no evidence yet. */
export interface EarlySignals {
  readonly smsEventId: string;
  readonly signals: readonly SmsSignal[];
  readonly sequence: number;
  readonly epoch?: number | undefined;
}

/** A claim that a TrxID paid an intent, by the customer at checkout or by the merchant at creation. */
export interface Claim {
  readonly id: string;
  readonly tenant: Tenant;
  readonly intentId: string;
  readonly trxId: string;
  /**
   * The latest submission before the end or the rejection of the intent (see `isBeforeRejection`), or the latest of all
   * if there is none. The first one while the intent is unknown.
   */
  readonly submittedAt: Date;
  /** The latest submission, if it differs from `submittedAt`. */
  readonly resubmittedAt: Date | undefined;
  /** Last three digits of the paying number, given by the customer. */
  readonly payerDigits: string | undefined;
  readonly source: ClaimSource;
  readonly state: 'OPEN' | 'SETTLED';
  readonly outcome: ClaimOutcome;
  /** The internal reason. It must not be shown to the claimant. */
  readonly reason: string;
  readonly smsEventId: string | undefined;
  readonly sequence: number;
  /** Number of submissions received without a gap. Undefined: the last one came from the previous checkout-api. */
  readonly submissions: number | undefined;
}
export type ClaimSource = 'CHECKOUT' | 'EXPECTED';

/** The current rules of a merchant, and the settings of this installation. */
export interface Terms {
  readonly enabledMethods: ReadonlySet<PaymentMethod>;
  /** Active receiver accounts and their method. */
  readonly activeReceivers: ReadonlyMap<string, PaymentMethod>;
  /** How long evidence may wait for its intent, or be older than it on the reference path. */
  readonly matchWindowMs: number;
  /** How much older than its intent evidence may be on the TrxID path. */
  readonly trxIdLeadMs: number;
  /** How long the paid intent of a TrxID is stored. */
  readonly recordRetentionMs: number;
  /** Rules of the merchant that send evidence to review although all checks hold. */
  readonly evidenceRules: EvidenceRules;
  /** Whether customers' claims require the last three digits of the paying number. */
  readonly requirePayerDigits: boolean;
}

export function sameTenant(one: Tenant, other: Tenant): boolean {
  return one.merchantId === other.merchantId && one.environment === other.environment;
}

/** Can still be paid: money with its reference belongs to this intent only. */
export function isOpen(intent: Intent): boolean {
  return intent.status === 'PENDING' || intent.status === 'REVIEW_REQUIRED';
}

/** May still become the payment of an intent, or an item for a person. */
export function isUnspent(evidence: Evidence): boolean {
  return evidence.state === 'WAITING' || evidence.state === 'REVIEW' || evidence.state === 'LAPSED';
}
