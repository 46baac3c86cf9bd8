import { UsageError } from '@pay/runtime';
import { listReported } from './cli/list-reported';
import { EXAMPLE, readReparseOptions } from './cli/reparse-options';
import { readReportedOptions, REPORTED_EXAMPLE } from './cli/report-options';
import { runReparse } from './cli/run-reparse';

const words = process.argv.slice(2);
const name = words[0] === 'reported' ? 'reported' : 'reparse';

async function run(): Promise<string> {
  const answer = name === 'reported' ? await reported() : await reparse();
  return typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2);
}

async function reparse(): Promise<object | string> {
  const options = readReparseOptions(words);
  return typeof options === 'string' ? options : runReparse(process.env, options);
}

async function reported(): Promise<object | string> {
  const options = readReportedOptions(words);
  return typeof options === 'string' ? options : listReported(process.env, options);
}

run().then(
  (answer) => process.stdout.write(`${answer}\n`),
  (error: unknown) => {
    const problems =
      error instanceof UsageError ? error.problems : [error instanceof Error ? error.message : String(error)];
    for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`);
    const example = name === 'reported' ? REPORTED_EXAMPLE : EXAMPLE;
    if (error instanceof UsageError)
      process.stderr.write(`Example: ${example}\n--help describes all options and settings\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
