import { isUniqueViolation } from '@pay/persistence';
import { Refusal } from '../changes/refusal';

/** Translates the violation of the unique constraint into a Refusal. Other errors are returned unchanged. */
export function refusedAsTaken(error: unknown): unknown {
  if (!isUniqueViolation(error, 'receiver_accounts_one_live_owner')) return error;
  return new Refusal('msisdn', 'another merchant has proven that this number is its own', 'RECEIVER_NUMBER_TAKEN');
}
