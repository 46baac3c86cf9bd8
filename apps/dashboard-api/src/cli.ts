import { printAnswerOf } from '@pay/runtime';
import { ALL_COMMANDS } from './cli/commands';
import { loginName } from './cli/login-name';
import { exampleOf, PROGRAM } from './cli/help';
import { parseCommandLine } from './cli/parse-command-line';
import { withWriter } from './cli/with-writer';

async function run(): Promise<string> {
  const line = parseCommandLine(process.argv.slice(2));
  if (line.kind === 'help') return line.text;
  if (line.kind === 'ask') {
    const { answer, exitCode } = await line.command.ask(process.env, line.input);
    process.exitCode = exitCode;
    return JSON.stringify(answer, undefined, 2);
  }
  const { command } = line;
  const actor = `cli:${loginName()}`;
  const answer = await withWriter({ env: process.env, actor }, (deps, tx) => command.run(deps, tx, line.input));
  return JSON.stringify(answer, undefined, 2);
}

const [, , named = ''] = process.argv;
const command = Object.hasOwn(ALL_COMMANDS, named) ? ALL_COMMANDS[named] : undefined;
const help =
  command === undefined
    ? `Example: ${PROGRAM} create-merchant --name='Corner Shop'`
    : `Example: ${exampleOf(named, command)}\n"${PROGRAM} ${named} --help" describes all options; commands that begin with list- print ids`;
void printAnswerOf(command === undefined ? 'cli' : named, run, { help });
