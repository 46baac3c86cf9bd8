import { printAnswerOf } from '@pay/runtime';
import { listReported } from './cli/list-reported';
import { EXAMPLE, readReparseOptions } from './cli/reparse-options';
import { readReportedOptions, REPORTED_EXAMPLE } from './cli/report-options';
import { runReparse } from './cli/run-reparse';

const words = process.argv.slice(2);
const json = (answer: object) => JSON.stringify(answer, undefined, 2);

async function reparse(): Promise<string> {
  const options = readReparseOptions(words);
  return typeof options === 'string' ? options : json(await runReparse(process.env, options));
}

async function reported(): Promise<string> {
  const options = readReportedOptions(words);
  return typeof options === 'string' ? options : json(await listReported(process.env, options));
}

const helpWith = (example: string) => `Example: ${example}\n--help describes all options and settings`;
void (words[0] === 'reported'
  ? printAnswerOf('reported', reported, { help: helpWith(REPORTED_EXAMPLE) })
  : printAnswerOf('reparse', reparse, { help: helpWith(EXAMPLE) }));
