import { parseAmount, type Poisha } from '@pay/contracts';

/** Two decimals always; western thousands commas or none. Example: "5,075.00", "20300.32". */
export const MONEY = String.raw`\d{1,3}(?:,\d{3}){1,4}\.\d{2}|\d{1,9}\.\d{2}`;

/** Eleven characters, the middle of which may be masked. Example: "01700000101", "0178XXXX694". */
export const PAYER = String.raw`01[3-9][0-9Xx*]{8}`;

/** Example: "30/12/2024 13:22", not followed by more digits or seconds. */
export const TIME = String.raw`(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?![\d:])`;

/** What may follow the time: nothing, a full stop, and advertising after a stop or a space. Example: ".Priyo Cash Out at 13.95/thousand". */
export const AFTER_TIME = String.raw`(?:[. ].{0,300})?`;

/**
 * A sum of money inside what the payer wrote, as a provider would write it. Example: "payment Tk 5,000.00". Not: "4TK69VY66T", which is a
 * reference that merely holds those letters.
 */
const MONEY_WORDS = new RegExp(String.raw`\bTk\.? ?(?:${MONEY})`, 'i');

/** A label that announces a transaction id, in every spelling that either provider uses. Example: "TrxID", "TxnId:", "Txn ID". */
const TRX_ID_LABEL = /T(?:rx|xn|rnx) ?ID/gi;

/** Any run of white space, line breaks included, as one space: transports turn one into the other. */
export function foldSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function countTrxIdLabels(text: string): number {
  return text.match(TRX_ID_LABEL)?.length ?? 0;
}

/** An amount as written; undefined for nothing at all and for zero, which nobody sends. */
export function readMoney(written: string | undefined): Poisha | undefined {
  return written === undefined ? undefined : parseAmount(written.replaceAll(',', ''));
}

export function holdsMoneyWords(reference: string): boolean {
  return MONEY_WORDS.test(reference);
}

/** The instant of a time written in Bangladesh (+06:00 all year, to the minute); undefined for one that no calendar has. */
export function readDhakaTime(parts: readonly (string | undefined)[]): Date | undefined {
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = parts.map(Number);
  if (year < 2010 || year > 2099 || hour > 23 || minute > 59) return undefined;
  const written = new Date(Date.UTC(year, month - 1, day, hour, minute));
  if (written.getUTCMonth() !== month - 1 || written.getUTCDate() !== day) return undefined;
  return new Date(written.getTime() - 6 * 3_600_000);
}
