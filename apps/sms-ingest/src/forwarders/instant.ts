/** 2026-01-22 02:54:01, as a phone in Bangladesh writes its own time: without a zone. */
const LOCAL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})?$/;
/** 2024-06-22T15:46:11.000+07:00, 2026-01-22T02:54:01Z */
const WITH_ZONE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/i;
/** 1769025241000: milliseconds; of ten digits or fewer, seconds. */
const STAMP = /^\d{9,14}$/;
const FIRST_MILLISECOND_STAMP = 100_000_000_000;
const NOT_BEFORE = Date.UTC(1970, 0);
const BEFORE = Date.UTC(2100, 0);

/**
 * The moment that a stamp or a time means; undefined for anything else, such as a placeholder that the app did not
 * fill.
 */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const time = STAMP.test(text) ? ofStamp(Number(text)) : ofTime(text);
  return time >= NOT_BEFORE && time < BEFORE ? time : undefined;
}

/** The first of these that is a moment, as ISO 8601; none: now, since a text must not be lost for its stamp. */
export function instantOf(now: Date, ...values: readonly unknown[]): string {
  const time = values.map(momentOf).find((moment) => moment !== undefined);
  return (time === undefined ? now : new Date(time)).toISOString();
}

function ofStamp(stamp: number): number {
  return stamp < FIRST_MILLISECOND_STAMP ? stamp * 1_000 : stamp;
}

function ofTime(text: string): number {
  const local = LOCAL.exec(text);
  if (local) return Date.parse(`${local[1]}T${local[2]}+06:00`);
  return WITH_ZONE.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
}
