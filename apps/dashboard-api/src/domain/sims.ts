import type { Sim } from './records';

/** Adds receivers to a slot; null means any slot. A receiver that already has a slot keeps it. */
export function withReceivers(
  sims: readonly Sim[],
  simSlot: number | null,
  receiverAccountIds: readonly string[],
): Sim[] {
  const there = sims.find((sim) => sim.simSlot === simSlot)?.receiverAccountIds ?? [];
  const missing = receiverAccountIds.filter((id) => !there.includes(id));
  const sim = { simSlot, receiverAccountIds: [...there, ...missing] };
  if (!sims.some((other) => other.simSlot === simSlot)) return missing.length === 0 ? [...sims] : [...sims, sim];
  return sims.map((other) => (other.simSlot === simSlot ? sim : other));
}

export function receiversOf(sims: readonly Sim[]): string[] {
  return [...new Set(sims.flatMap((sim) => sim.receiverAccountIds))];
}
