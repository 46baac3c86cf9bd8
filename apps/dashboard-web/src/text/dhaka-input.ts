import { inDhaka } from '@pay/contracts';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/;

/** An instant as the value of a `datetime-local` field in the time of Dhaka. Example: "2026-11-23T14:05". */
export function dhakaInput(instant: Date): string {
  return inDhaka(instant).toISOString().slice(0, 16);
}

/** The instant of such a field; undefined if it is not filled in. Example: "2026-11-23T08:05:00.000Z". */
export function dhakaInstant(input: string): string | undefined {
  const text = DATE_TIME.exec(input)?.[1];
  if (text === undefined) return undefined;
  const instant = new Date(`${text}:00+06:00`);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** Today, in Dhaka. Example: "2026-11-23". */
export function dhakaDay(instant: Date): string {
  return dhakaInput(instant).slice(0, 10);
}
