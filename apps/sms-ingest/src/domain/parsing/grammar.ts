import { DHAKA_OFFSET_MS, parseAmount, type Poisha } from '@pay/contracts';
import type { Facts } from '../parsed-sms';

/**
 * Sums in texts of collected money: two decimals, western thousands commas or none, no zero in front. Example:
 * "5,075.00", "20300.32".
 */
export const MONEY = String.raw`(?:0|[1-9]\d{0,2}(?:,\d{3}){0,3}|[1-9]\d{3,8})\.\d{2}`;

/** As they write sums elsewhere. Example: "239", "340.0", "1,020.00". */
export const ANY_MONEY = String.raw`(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?:\.\d{1,2})?(?!\d|[.,]\d)`;

/**
 * Of these eleven characters the first two and the last two are digits at least, and what is masked is in one piece.
 */
const MASKED = String.raw`(?=01[\dXx*]{9}(?![\dXx*]))01(?:[3-9]\d{0,4})?[Xx*]{2,7}\d{2,6}`;
/** A mobile number, the middle of which may be masked. Examples: "01700000101", "0178XXXX694", "017****0921". */
export const PAYER = String.raw`(?:01[3-9]\d{8}|${MASKED})`;

/** The same, with the country's code or without. Example: "+8801700000101". */
export const ANY_NUMBER = String.raw`(?:\+?88)?${PAYER}`;

/** Example: "30/12/2024 13:22", not followed by more digits, seconds or the half of a day. */
export const TIME = String.raw`(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?![\d:]| ?[AaPp]\.?[Mm]\b)`;

/**
 * The text that may follow the time: nothing, a full stop, and advertising after a stop or a space.
 * Example: ".Priyo Cash Out at 13.95/thousand".
 */
export const AFTER_TIME = String.raw`(?:[. ].{0,300})?`;

/**
 * An amount inside the payer's text in the provider's format. Example: "payment Tk 5,000.00". Not: "4TK69VY66T", a
 * reference that contains those letters.
 */
const MONEY_WORDS = new RegExp(String.raw`\bTk\.? ?(?:${MONEY})`, 'i');

/**
 * A label that announces a transaction id, in every spelling that any provider uses: "TrxID", "TxnId:", "Txn ID". The
 * id is included, because it may spell a label ("DKTRXID657"); labels of providers have small letters, ids have none.
 */
const TRX_ID_LABEL = /[Tt](?:[Rr][Xx]|[Xx][Nn]|[Rr][Nn][Xx]) ?[Ii][Dd](?::? ?[0-9A-Z]{6,12}\b)?/g;

export function countTrxIdLabels(text: string): number {
  return text.match(TRX_ID_LABEL)?.length ?? 0;
}

/** An amount as written, such as "1,020.00" or ".84"; undefined for nothing at all and for what is no amount. */
export function readMoney(written: string | undefined): Poisha | undefined {
  return written === undefined ? undefined : parseAmount(written.replaceAll(',', '').replace(/^\./, '0.'));
}

export function holdsMoneyWords(reference: string): boolean {
  return MONEY_WORDS.test(reference);
}

/**
 * The instant of a time written in Bangladesh (+06:00 all year, to the minute); undefined for one that no calendar has.
 */
export function readDhakaTime(parts: readonly (string | undefined)[]): Date | undefined {
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = parts.map(Number);
  if (!(year >= 2010 && year <= 2099) || !(hour <= 23) || !(minute <= 59)) return undefined;
  const written = new Date(Date.UTC(year, month - 1, day, hour, minute));
  if (written.getUTCMonth() !== month - 1 || written.getUTCDate() !== day) return undefined;
  return new Date(written.getTime() - DHAKA_OFFSET_MS);
}

/** The first five numbers that TIME finds in a text; undefined when it finds none, or a time that no calendar has. */
export function findDhakaTime(text: string): Date | undefined {
  const found = ANY_TIME.exec(text);
  return found === null ? undefined : readDhakaTime(found.slice(1, 6));
}

const ANY_TIME = new RegExp(TIME);

/** Facts of which nothing is known but the kind and the direction. */
export function factsOf(kind: Facts['kind'], direction: Facts['direction'], known: Partial<Facts> = {}): Facts {
  return {
    kind,
    direction,
    amount: null,
    fee: null,
    commission: null,
    balance: null,
    trxId: null,
    reference: null,
    senderMsisdn: null,
    recipientMsisdn: null,
    providerTime: null,
    ...known,
  };
}

/** A kind of text and how it begins, or what it is as a whole. Named groups: `amount`, `from`, `to`, `ref`. */
export interface Heading {
  readonly kind: Facts['kind'];
  readonly direction: Facts['direction'];
  readonly pattern: RegExp;
}

export const AMOUNT = `(?<amount>${ANY_MONEY})`;
export const FROM = `(?<from>${ANY_NUMBER})`;
export const TO = `(?<to>${ANY_NUMBER})`;

/** Makes headings that all end alike. */
export const headingsOf =
  (end: string, flags?: string) =>
  (kind: Facts['kind'], direction: Facts['direction'], pattern: string): Heading => ({
    kind,
    direction,
    pattern: new RegExp(`^${pattern}${end}$`, flags),
  });

/** The values of the first heading that matches; undefined when none does. */
export function readHeading(headings: readonly Heading[], text: string): Facts | undefined {
  for (const { kind, direction, pattern } of headings) {
    const groups = pattern.exec(text);
    if (groups === null) continue;
    const { amount, from, to, ref } = groups.groups ?? {};
    const reference = ref?.trim();
    return factsOf(kind, direction, {
      amount: readMoney(amount) ?? null,
      senderMsisdn: from ?? null,
      recipientMsisdn: to ?? null,
      reference: reference === undefined || reference === '' || reference === 'N/A' ? null : reference,
    });
  }
  return undefined;
}

type Label = 'fee' | 'commission' | 'balance' | 'trxId';

/** The values after these labels; the first group of each pattern is its value. */
export function readLabels(labels: Readonly<Record<Label, RegExp>>, text: string): Pick<Facts, Label> {
  const valueOf = (label: Label) => labels[label].exec(text)?.[1];
  const money = (label: Label) => readMoney(valueOf(label)) ?? null;
  return {
    fee: money('fee'),
    commission: money('commission'),
    balance: money('balance'),
    trxId: valueOf('trxId') ?? null,
  };
}
