/** Every reason that the reconciler gives for a match, except why a text was not understood: that is the parser's word. */
export const MATCH_REASONS = [
  'reference_match',
  'trx_id_match',
  'reference_match_amount_mismatch',
  'trx_id_match_amount_mismatch',
  'wrong_method',
  'wrong_receiver',
  'receiver_unknown',
  'late_payment',
  'intent_closed',
  'intent_already_paid',
  'evidence_too_old',
  'forgery_signals',
  'balance_break',
  'payer_differs',
  'duplicate_trx_id',
  'method_not_allowed',
  'no_reference',
  'reference_not_found',
  'match_window_over',
  'intent_expired',
  'receiver_switched_off',
  'merchant_switched_off',
  'method_disabled',
  'approved_by_person',
  'linked_by_person',
  'rejected_by_person',
  'refunded',
  'not_ours',
  'reopened',
] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** Why a matched reference or TrxID is left to a person. */
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
>;

/** What a merchant's own rules hold against evidence for which all checks hold. */
export type EvidenceDoubt = Extract<
  MatchReason,
  'forgery_signals' | 'balance_break' | 'payer_differs' | 'evidence_too_old'
>;

/** Why a claim is answered as if its TrxID had not been seen. */
export type NotSeenReason =
  Extract<MatchReason, 'wrong_method' | 'wrong_receiver' | 'receiver_unknown'> | 'names_another_intent';

/** What a person has decided. */
export type PersonsReason = Extract<
  MatchReason,
  'approved_by_person' | 'linked_by_person' | 'rejected_by_person' | 'refunded' | 'not_ours' | 'reopened'
>;

/** Why an intent can no longer be paid. */
export type UnpayableReason = Extract<
  MatchReason,
  'receiver_switched_off' | 'merchant_switched_off' | 'method_disabled'
>;
