import { isUniqueViolation } from '@pay/persistence';
import { Refusal } from './refusal';

/** The refusal in words when the database has found another merchant's active LIVE account on this number; else the error itself. */
export function refusedAsTaken(error: unknown): unknown {
  if (!isUniqueViolation(error, 'receiver_accounts_one_live_owner')) return error;
  return new Refusal('msisdn', 'another merchant receives money on this number in LIVE', 'RECEIVER_NUMBER_TAKEN');
}
