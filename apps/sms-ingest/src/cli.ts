import { UsageError } from '@pay/runtime';
import { EXAMPLE, readReparseOptions } from './cli/reparse-options';
import { runReparse } from './cli/run-reparse';

async function run(): Promise<string> {
  const options = readReparseOptions(process.argv.slice(2));
  return typeof options === 'string' ? options : JSON.stringify(await runReparse(process.env, options), undefined, 2);
}

run().then(
  (answer) => process.stdout.write(`${answer}\n`),
  (error: unknown) => {
    const problems =
      error instanceof UsageError ? error.problems : [error instanceof Error ? error.message : String(error)];
    for (const problem of problems) process.stderr.write(`reparse: ${problem}\n`);
    if (error instanceof UsageError)
      process.stderr.write(`Example: ${EXAMPLE}\n--help describes all options and settings\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
