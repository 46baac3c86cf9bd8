import { ALL_COMMANDS } from './cli/commands';
import { loginName } from './cli/login-name';
import { PROGRAM } from './cli/help';
import { parseCommandLine } from './cli/parse-command-line';
import { printAnswerOf } from './cli/print-answer-of';
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
const isKnown = Object.hasOwn(ALL_COMMANDS, named);
const help = isKnown
  ? `"${PROGRAM} ${named} --help" describes its options and settings, and "${PROGRAM} help" the commands that list ids`
  : `"${PROGRAM} help" lists the commands`;
void printAnswerOf(isKnown ? named : 'cli', run, help);
