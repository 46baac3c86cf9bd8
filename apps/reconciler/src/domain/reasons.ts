import type { MatchReason } from '@pay/contracts';

/** Why a matched reference or TrxID goes to review. */
export type ReviewReason = Extract<
  MatchReason,
  | 'reference_match_amount_mismatch'
  | 'trx_id_match_amount_mismatch'
  | 'wrong_method'
  | 'wrong_receiver'
  | 'receiver_unknown'
  | 'late_payment'
  | 'intent_closed'
  | 'intent_already_paid'
  | 'match_window_over'
  | EvidenceDoubt
  | ClaimDoubt
  | LastingDoubt
>;

/** Doubts of the merchant's rules and of LIVE about evidence that passes all checks. */
export type EvidenceDoubt = Extract<
  MatchReason,
  'forgery_signals' | 'unsigned_forwarder' | 'balance_break' | 'payer_differs' | 'evidence_too_old'
>;

/** Why a claim leads to a review although all checks pass. */
export type ClaimDoubt = Extract<
  MatchReason,
  | 'claim_before_payment' // Submitted up to two minutes before the minute of the payment: clocks differ.
  | 'payer_digits_missing' // The merchant requires the digits of the paying number and the claim has none.
  | 'payer_digits_differ' // The claim has other digits than the text shows, or the text shows none.
  | 'competing_claims' // Several open intents claim the TrxID, or its text leads to a paid one too; no payer singles out one.
>;

/** Doubts that are stored with a match: they stay when its text is decided again, so only a person makes it pay. */
export const LASTING_DOUBTS = [
  'contradicting_texts', // Another text of the TrxID has other facts: one of the two is forged.
  'other_intent_rejected', // A person has rejected another intent to which this text leads.
] as const satisfies readonly MatchReason[];
export type LastingDoubt = (typeof LASTING_DOUBTS)[number];

/** Why evidence or a claim goes to review although all checks pass. */
export type MatchDoubt = EvidenceDoubt | ClaimDoubt | LastingDoubt;

/** Why a claim gets the answer of an unknown TrxID. */
export type NotSeenReason =
  Extract<MatchReason, 'wrong_method' | 'wrong_receiver' | 'receiver_unknown'> | 'names_another_intent';

/** Decisions of reviewers. */
export type PersonsReason = Extract<
  MatchReason,
  'approved_by_person' | 'linked_by_person' | 'rejected_by_person' | 'refunded' | 'not_ours' | 'reopened'
>;
