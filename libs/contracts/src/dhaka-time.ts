export const DAY_MS = 86_400_000;
/** Asia/Dhaka is ahead of UTC by this all year: Bangladesh has had no summer time since 2009. */
export const DHAKA_OFFSET_MS = 6 * 3_600_000;

/** A date whose UTC fields are those of the instant in Asia/Dhaka. */
export function inDhaka(instant: Date): Date {
  return new Date(instant.getTime() + DHAKA_OFFSET_MS);
}

/** To the minute, as providers write it. Example: "21/11/2026 19:00". */
export function minuteInDhaka(instant: Date): string {
  const iso = inDhaka(instant).toISOString();
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
}
