import { parseOptions, UsageError } from '@pay/runtime';
import type { z } from 'zod';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';
import { helpOf, helpOfAll } from './help';

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
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', text: helpOf(name, command) };
  const input = parseOptions(rest, command.options.shape);
  const result = command.options.safeParse(input);
  if (!result.success) throw new UsageError(result.error.issues.map((issue) => sentence(issue, input)));
  return 'ask' in command ? { kind: 'ask', command, input } : { kind: 'run', command, input };
}

function sentence(issue: z.core.$ZodIssue, input: Record<string, unknown>): string {
  const key = String(issue.path[0]);
  return `--${key} ${key in input ? issue.message : 'is required'}`;
}
