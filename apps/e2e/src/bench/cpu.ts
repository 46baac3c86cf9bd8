import { readFileSync } from 'node:fs';

/** The unit of processor time on Linux. */
const TICKS_PER_SECOND = 100;

/** Includes all threads of the process. NaN if it is not available. */
export function cpuMsOf(pid: number): number {
  try {
    // The program name before these fields is in parentheses and may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}
