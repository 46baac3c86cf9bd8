const MOST_SLOTS = 8;

/**
 * 1, "1", "sim1", "SIM1", "SIM 2", "SIM1_Grameenphone_017...": counted from 1. Anything else, such as "undetected", is
 * not known.
 */
const SLOT = /^(?:sim[ _]?)?([1-9])(?!\d)/i;

/** Undefined where the app does not know; which wallet was paid is never guessed from less. */
export function simSlotOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const slot = Number(SLOT.exec(String(value).trim())?.[1]);
  return slot <= MOST_SLOTS ? slot : undefined;
}
