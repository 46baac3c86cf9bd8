import { isUniqueViolation } from '@pay/persistence';
import { Refusal } from '../changes/refusal';

/** The refusal in words when the database has found another merchant's proof of this number; else the error itself. */
export function refusedAsTaken(error: unknown): unknown {
  if (!isUniqueViolation(error, 'receiver_accounts_one_live_owner')) return error;
  return new Refusal('msisdn', 'another merchant has proven that this number is its own', 'RECEIVER_NUMBER_TAKEN');
}
