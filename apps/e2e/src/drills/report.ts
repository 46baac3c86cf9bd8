/** Prints the progress of a drill with the seconds since its start, and collects problems. */
export class Report {
  readonly problems: string[] = [];
  private readonly startedAt = performance.now();

  constructor(private readonly print: (line: string) => void) {}

  say(sentence: string): void {
    this.print(`${((performance.now() - this.startedAt) / 1_000).toFixed(1).padStart(7)} s  ${sentence}`);
  }

  problem(sentence: string): void {
    this.problems.push(sentence);
    this.say(`WRONG: ${sentence}`);
  }

  /** Adds a problem unless both are equal. */
  expect(what: string, seen: number, wanted: number): void {
    if (seen === wanted) this.say(`${what}: ${seen}`);
    else this.problem(`${what}: ${seen} instead of ${wanted}`);
  }
}

export interface DrillOptions {
  readonly report: Report;
  /** Payments per phase. */
  readonly payments: number;
  /** For the test suite. */
  readonly isShort: boolean;
}

export function secondsBetween(from: number, to: number): string {
  return `${((to - from) / 1_000).toFixed(1)} s`;
}
