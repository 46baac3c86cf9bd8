import { readFileSync } from 'node:fs';

/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process of this machine with its threads; NaN if it is not available. */
export function cpuMsOf(pid: number): number {
  try {
    // The name of the program comes before, in parentheses, and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}
