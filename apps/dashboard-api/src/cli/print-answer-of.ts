import { Refusal } from '../changes/refusal';
import { UsageError } from '@pay/runtime';

/**
 * Prints what a command answers, or on standard error what is wrong, one line per problem behind the program's name.
 * Exit codes: 0 done, 2 the input must change, 1 everything else. `help` shows the right input.
 */
export async function printAnswerOf(program: string, run: () => Promise<string>, help?: string): Promise<void> {
  try {
    process.stdout.write(`${await run()}\n`);
  } catch (error) {
    const { exitCode, problems } = explain(error);
    for (const problem of problems) process.stderr.write(`${program}: ${problem}\n`);
    if (exitCode === WRONG_INPUT && help !== undefined) process.stderr.write(`${help}\n`);
    process.exitCode = exitCode;
  }
}

const WRONG_INPUT = 2;

function explain(error: unknown): { exitCode: number; problems: readonly string[] } {
  if (error instanceof UsageError) return { exitCode: WRONG_INPUT, problems: error.problems };
  if (error instanceof Refusal) return { exitCode: WRONG_INPUT, problems: [`${error.field}: ${error.message}`] };
  return { exitCode: 1, problems: [describe(error)] };
}

/** A refused connection to several addresses is an AggregateError without words. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}
