import { parseOptions, UsageError } from '@pay/runtime';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';
import { helpOfCommand, helpOfAll } from './help';

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'run'; readonly command: Command; readonly input: Record<string, unknown> }
  | { readonly kind: 'ask'; readonly command: ServiceCommand; readonly input: Record<string, unknown> };

/** Throws a UsageError with all problems. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    return { kind: 'help', text: helpOfAll() };
  }
  const command = Object.hasOwn(ALL_COMMANDS, name) ? ALL_COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(ALL_COMMANDS).join(', ');
    throw new UsageError([`${name.slice(0, 60)}: unknown command; use one of ${names}`]);
  }
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', text: helpOfCommand(name, command) };
  const { given: input } = parseOptions(rest, command.options);
  return 'ask' in command ? { kind: 'ask', command, input } : { kind: 'run', command, input };
}
