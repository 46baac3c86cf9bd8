import type { ProbedType } from '@pay/contracts';

export interface BindingState {
  /** All probes up to this number have been received, or given up. */
  readonly seen: number;
  /** Received numbers after a gap. */
  readonly ahead: readonly number[];
  /** When the last probe without a gap was sent. */
  readonly sentAt: Date;
  readonly publishedUntil: Date;
  readonly missingSince: Date | undefined;
  /** A repair after which no probe has arrived yet. */
  readonly repairedAt: Date | undefined;
}

export type BindingStates = ReadonlyMap<string, BindingState>;

/**
 * A probe counts as missing when one that was sent two rounds later has arrived. One round is not enough: another
 * replica may still process the previous round.
 */
const MISSING_AFTER_ROUNDS = 2;

/** The states after these probes of one publisher. `taken`: the types that the queue consumes from it. */
export function advance(
  before: BindingStates,
  probes: readonly ProbedType[],
  taken: readonly string[],
  probeEveryMs: number,
): Map<string, BindingState> {
  const states = new Map(before);
  for (const probe of probes) {
    const beginning = beginningOf(states, probe);
    for (const [type, number] of Object.entries(probe.round)) {
      if (!taken.includes(type)) continue;
      const known = afterRepair(states.get(type) ?? { ...beginning, seen: number - 1 }, number, probe, probeEveryMs);
      const received = type === probe.type ? receive(known, probe) : known;
      states.set(type, number > received.seen + MISSING_AFTER_ROUNDS ? giveUp(received, number, probe) : received);
    }
  }
  return states;
}

/**
 * A type without a state starts at the state of the publisher's other types, or at its first probe: it was not
 * published before.
 */
function beginningOf(states: BindingStates, probe: ProbedType): Omit<BindingState, 'seen'> {
  const known = [...states.values()].map(({ publishedUntil }) => publishedUntil.getTime());
  return {
    ahead: [],
    sentAt: new Date(probe.sentAt),
    publishedUntil: known.length === 0 ? new Date(probe.publishedUntil) : new Date(Math.max(...known)),
    missingSince: undefined,
    repairedAt: undefined,
  };
}

function receive(state: BindingState, probe: ProbedType): BindingState {
  const { number } = probe;
  if (number <= state.seen || state.ahead.includes(number)) return state;
  const ahead = [...state.ahead, number].sort((one, other) => one - other);
  let { seen } = state;
  while (ahead[0] === seen + 1) seen = ahead.shift() as number;
  if (seen === state.seen) return { ...state, ahead };
  const [sentAt, publishedUntil] = [new Date(probe.sentAt), new Date(probe.publishedUntil)];
  return { ...state, seen, ahead, sentAt, publishedUntil };
}

function giveUp(state: BindingState, seen: number, probe: ProbedType): BindingState {
  const missingSince = state.missingSince ?? state.publishedUntil;
  return { ...state, seen, ahead: [], missingSince, publishedUntil: new Date(probe.publishedUntil) };
}

/**
 * Probes that were sent before a repair do not cause another one: its replay covers their time. If the first probe
 * after it is late, others after it were lost.
 */
function afterRepair(state: BindingState, number: number, probe: ProbedType, probeEveryMs: number): BindingState {
  if (state.repairedAt === undefined || number <= state.seen) return state;
  const sinceRepairMs = new Date(probe.sentAt).getTime() - state.repairedAt.getTime();
  if (sinceRepairMs <= 0) return { ...state, seen: number, ahead: [] };
  const repaired = { ...state, repairedAt: undefined };
  return sinceRepairMs > MISSING_AFTER_ROUNDS * probeEveryMs ? repaired : { ...repaired, seen: number - 1, ahead: [] };
}
