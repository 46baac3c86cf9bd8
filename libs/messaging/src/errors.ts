/**
 * Thrown by a handler if this message can never be handled; it is parked immediately with this reason. The reason must
 * not contain values.
 */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** The broker is unavailable or did not confirm in time. Whether the message arrived is unknown. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable';
}

/** The broker returned the message: no queue is bound. */
export class Unroutable extends Error {
  override readonly name = 'Unroutable';
}

/** Runs of five or more digits. Example: "017…8123" inside a driver's message. */
const DIGITS = /\d{5,}/g;
/** Six or more capitals and digits with at least one digit, which may be a TrxID. Example: "DKL4A1B2C3". */
const IDENTIFIERS = /\b(?=[A-Z]*\d)[A-Z0-9]{6,}\b/g;
const LONGEST_REASON = 300;

/** The text of an error that may be stored and shown: possible phone numbers and TrxIDs are removed. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : 'an error that is not an Error';
  return text.replace(DIGITS, '…').replace(IDENTIFIERS, '…').slice(0, LONGEST_REASON);
}
