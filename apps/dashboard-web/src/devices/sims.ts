import type { DeviceResponse } from '@pay/contracts';

type Sims = DeviceResponse['sims'];
/** Where a number is: `''` not on the phone, `any` on the phone in any slot, or the number of its SIM slot. */
export type Slot = string;
export const ANY_SLOT = 'any';

/** The slot of each receiving number of a phone, by its id. */
export function slotsOf(sims: Sims): Readonly<Record<string, Slot>> {
  return Object.fromEntries(
    sims.flatMap(({ simSlot, receiverAccountIds }) =>
      receiverAccountIds.map((id) => [id, simSlot === null ? ANY_SLOT : String(simSlot)]),
    ),
  );
}

/** The SIMs of a phone that has each number in its slot. */
export function simsOf(slots: Readonly<Record<string, Slot>>): Sims {
  const bySlot = new Map<Slot, string[]>();
  for (const [id, slot] of Object.entries(slots)) if (slot !== '') bySlot.set(slot, [...(bySlot.get(slot) ?? []), id]);
  return [...bySlot]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([slot, receiverAccountIds]) => ({
      simSlot: slot === ANY_SLOT ? null : Number(slot),
      receiverAccountIds,
    }));
}
