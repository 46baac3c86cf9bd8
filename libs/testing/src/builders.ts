import { randomInt } from 'node:crypto';

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Second digits of mobile operators in Bangladesh: 013 to 019. */
const OPERATORS = '3456789';

/** A mobile number in national format, for example 01712345678. */
export function aRandomMsisdn(): string {
  return `01${pick(OPERATORS)}${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

/**
 * A bKash TrxID: year (2026 is D), month (A to L) and day (1 to 9, then A to V) in Bangladesh, then seven letters and
 * digits. Example: DKL4A1B2C3 of 21 November 2026.
 */
export function aRandomTrxId(at: Date = new Date()): string {
  const day = dhaka(at);
  const year = LETTERS_AND_DIGITS.charAt(day.getUTCFullYear() - 2013);
  const month = LETTERS_AND_DIGITS.charAt(10 + day.getUTCMonth());
  return year + month + LETTERS_AND_DIGITS.charAt(day.getUTCDate()) + randomText(7);
}

/** A known value of Nagad's payment counter, and its growth. */
const NAGAD_COUNTER = { at: Date.UTC(2026, 8, 28), value: Number.parseInt('760VVGGW', 36), perSecond: 130 };
const MONTH_SECONDS = 30 * 86_400;

/** A Nagad TxnID of about a month around this time: a growing number in base 36, eight digits. Example: 760VVGGW. */
export function aRandomNagadTrxId(at: Date = new Date()): string {
  const seconds = Math.floor((at.getTime() - NAGAD_COUNTER.at) / 1_000) - randomInt(MONTH_SECONDS);
  const count = NAGAD_COUNTER.value + seconds * NAGAD_COUNTER.perSecond + randomInt(NAGAD_COUNTER.perSecond);
  return count.toString(36).toUpperCase();
}

export interface ReceivedMoney {
  /** Decimal taka, for example `500` or `1500.50`. */
  readonly amount: string;
  readonly sender?: string;
  readonly reference?: string | undefined;
  readonly trxId?: string;
  readonly at?: Date;
  readonly balance?: string;
}

/** The SMS of bKash to a personal number that received money. */
export function bkashSendMoneyText(money: ReceivedMoney): string {
  const { sender = aRandomMsisdn(), reference, at = new Date(), balance = '84210.75' } = money;
  const { trxId = aRandomTrxId(at) } = money;
  const ref = reference === undefined ? '' : ` Ref ${reference}.`;
  return (
    `You have received Tk ${taka(money.amount)} from ${sender}.${ref} Fee Tk 0.00. ` +
    `Balance Tk ${taka(balance)}. TrxID ${trxId} at ${dhakaTime(at)}`
  );
}

/** The SMS of Nagad to a personal number that received money. */
export function nagadSendMoneyText(money: ReceivedMoney): string {
  const {
    sender = aRandomMsisdn(),
    reference,
    at = new Date(),
    trxId = aRandomNagadTrxId(at),
    balance = '9120.40',
  } = money;
  return [
    'Money Received.',
    `Amount: Tk ${twoDecimals(money.amount)}`,
    `Sender: ${sender}`,
    `Ref: ${reference ?? 'N/A'}`,
    `TxnID: ${trxId}`,
    `Balance: Tk ${twoDecimals(balance)}`,
    dhakaTime(at),
  ].join('\n');
}

/** With thousands separators, which bKash writes and Nagad does not: `1500.5` -> `1,500.50`. */
function taka(decimal: string): string {
  // A position before one or more groups of three digits: `1500.50` -> `1,500.50`.
  return twoDecimals(decimal).replace(/\B(?=(\d{3})+\.)/g, ',');
}

function twoDecimals(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Bangladesh time to the minute, `21/11/2026 16:05`. */
function dhakaTime(at: Date): string {
  const iso = dhaka(at).toISOString();
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
}

/** A date whose UTC fields are the time in Bangladesh, six hours ahead all year. */
function dhaka(at: Date): Date {
  return new Date(at.getTime() + 6 * 3_600_000);
}

function randomText(length: number): string {
  return Array.from({ length }, () => pick(LETTERS_AND_DIGITS)).join('');
}

function pick(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
