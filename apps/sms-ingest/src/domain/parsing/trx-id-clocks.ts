import { DAY_MS, inDhaka } from '@pay/contracts';

/**
 * The day on which an id was created, compared with the time in its text. Never a proof: batches and typing
 * errors differ too.
 */
export type TrxIdCheck = 'agrees' | 'differs' | 'impossible';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MINUTE = 60_000;

/**
 * bKash: year (2017 is 4, 2023 is A), month (A to L) and day (1 to 9, then A to V) of Bangladesh, give or take a day
 * around midnight. Example: DKL4TEA001 of 21 November 2026. Until spring 2017 ids were ten digits and said nothing. No
 * day is written 0, so a 0 there is an O that was copied wrongly.
 */
export function checkBkashTrxId(trxId: string, providerTime: Date): TrxIdCheck {
  if (/^\d{10}$/.test(trxId) && providerTime.getTime() < Date.UTC(2017, 5)) return 'agrees';
  const [year, month, written] = [0, 1, 2].map((place) => DIGITS.indexOf(trxId.charAt(place)));
  const day = written === 0 ? DIGITS.indexOf('O') : written;
  if (year === undefined || month === undefined || day === undefined) return 'impossible';
  if (year < 4 || month < 10 || month > 21 || day < 1 || day > 31) return 'impossible';
  const made = new Date(Date.UTC(2013 + year, month - 10, day));
  if (made.getUTCDate() !== day) return 'impossible';
  const paidOn = Math.floor(inDhaka(providerTime).getTime() / DAY_MS);
  return Math.abs(paidOn - made.getTime() / DAY_MS) <= 1 ? 'agrees' : 'differs';
}

/** Where Nagad's counter stood, by its first four places of eight in base 36. */
const NAGAD_CLOCK: readonly { readonly at: number; readonly count: number }[] = [
  reading(Date.UTC(2020, 2, 15), '70L0'),
  reading(Date.UTC(2023, 0, 21), '71NH'),
  reading(Date.UTC(2025, 2, 10), '73QO'),
  reading(Date.UTC(2025, 9, 20), '74HN'),
  reading(Date.UTC(2026, 5, 8), '75HK'),
  reading(Date.UTC(2026, 8, 5), '75XV'),
  reading(Date.UTC(2026, 8, 28), '760V'),
];
function reading(at: number, prefix: string) {
  return { at, count: Number.parseInt(`${prefix}0000`, 36) };
}

/** Between two readings of the clock its pace is not known; after the last one it is not known whether it keeps it. */
const NAGAD_TOLERANCE = 60 * DAY_MS;
const NAGAD_TOLERANCE_AHEAD = 0.5;

/** Nagad: a counter over all customers, eight places in base 36. Example: 75HK0000 of June 2026. */
export function checkNagadTrxId(trxId: string, providerTime: Date): TrxIdCheck {
  const made = nagadTime(Number.parseInt(trxId, 36));
  const last = NAGAD_CLOCK.at(-1)?.at ?? 0;
  const ahead = Math.max(0, providerTime.getTime() - last, made - last) * NAGAD_TOLERANCE_AHEAD;
  return Math.abs(made - providerTime.getTime()) <= NAGAD_TOLERANCE + ahead ? 'agrees' : 'differs';
}

/** When the counter had this value, by the two readings around it; outside of them by the nearest two. */
function nagadTime(count: number): number {
  const next = NAGAD_CLOCK.findIndex((each) => each.count > count);
  const to = next < 0 ? NAGAD_CLOCK.length - 1 : Math.max(1, next);
  const [before, after] = [NAGAD_CLOCK[to - 1], NAGAD_CLOCK[to]];
  if (before === undefined || after === undefined) return 0;
  return before.at + ((count - before.count) / (after.count - before.count)) * (after.at - before.at);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Upay: the time part of a ULID, milliseconds in ten places of Crockford's base 32, which the text gives to the minute.
 */
export function checkUpayTrxId(trxId: string, providerTime: Date): TrxIdCheck {
  let made = 0;
  for (const place of trxId) {
    const digit = CROCKFORD.indexOf(place);
    if (digit < 0) return 'impossible';
    made = made * 32 + digit;
  }
  return Math.abs(made - providerTime.getTime()) <= 5 * MINUTE ? 'agrees' : 'differs';
}

/**
 * A new id as bKash would make it at a time: three places for the day, and seven that `digit` draws, each from 0 to 35.
 */
export function bkashIdAt(at: Date, digit: () => number): string {
  const day = inDhaka(at);
  const date = [day.getUTCFullYear() - 2013, 10 + day.getUTCMonth(), day.getUTCDate()];
  return [...date, ...Array.from({ length: 7 }, digit)].map((place) => DIGITS.charAt(place)).join('');
}

/** Possible days of Nagad's counter around a time, well within what `nagadIdVerdict` tolerates. */
const NAGAD_SPREAD = 40 * DAY_MS;

/** A new id as Nagad would make it about a time. `part` draws from 0 (inclusive) to 1 (exclusive). */
export function nagadIdAt(at: Date, part: () => number): string {
  const wanted = at.getTime() + (part() * 2 - 1) * NAGAD_SPREAD;
  let low = 0;
  let high = 36 ** 8 - 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (nagadTime(middle) < wanted) low = middle;
    else high = middle;
  }
  // The clock has a precision of milliseconds, in which a pace of 130 per second leaves gaps: neighbours are as good.
  return Math.max(0, high - Math.floor(part() * 1_000))
    .toString(36)
    .toUpperCase()
    .padStart(8, '0');
}
