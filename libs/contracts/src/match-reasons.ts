import { INTENT_FAILURE_REASONS } from './intent';

/** Every reason of the reconciler for a match. Reasons of unparsed texts come from the parser. */
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
  'unsigned_forwarder',
  'balance_break',
  'payer_differs',
  'claim_before_payment',
  'payer_digits_missing',
  'payer_digits_differ',
  'competing_claims',
  'other_intent_rejected',
  'contradicting_texts',
  'duplicate_trx_id',
  'older_than_records',
  'method_not_allowed',
  'no_reference',
  'reference_not_found',
  'match_window_over',
  'intent_expired',
  ...INTENT_FAILURE_REASONS,
  'approved_by_person',
  'linked_by_person',
  'rejected_by_person',
  'refunded',
  'not_ours',
  'reopened',
] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** Limit of the stored intents that were considered for one SMS. */
export const MOST_CANDIDATES = 20;

/** Doubts about who has paid. A person who approves the payment acknowledges each of them by name. */
export const DOUBTS_TO_ACKNOWLEDGE = [
  'competing_claims',
  'payer_digits_differ',
  'payer_digits_missing',
  'claim_before_payment',
  'contradicting_texts',
  'other_intent_rejected',
] as const satisfies readonly MatchReason[];
export type DoubtToAcknowledge = (typeof DOUBTS_TO_ACKNOWLEDGE)[number];
