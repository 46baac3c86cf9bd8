import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';
import { helpOf, helpOfAll } from './help';
import { UsageError } from './usage-error';

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'run'; readonly command: Command; readonly input: Record<string, unknown> }
  | { readonly kind: 'ask'; readonly command: ServiceCommand; readonly input: Record<string, unknown> };

/** Reads the words after the program's name. Throws a UsageError that lists every problem at once. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    return { kind: 'help', text: helpOfAll() };
  }
  const command = Object.hasOwn(ALL_COMMANDS, name) ? ALL_COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError([`${name.slice(0, 60)}: unknown command; use --help for a list`]);
  if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', text: helpOf(name, command) };
  const input = read(command, rest);
  const result = command.options.safeParse(input);
  if (!result.success) throw new UsageError(result.error.issues.map((issue) => sentence(issue, input)));
  return 'ask' in command ? { kind: 'ask', command, input } : { kind: 'run', command, input };
}

function read(command: Command | ServiceCommand, words: readonly string[]): Record<string, unknown> {
  const fields: Record<string, z.core.$ZodType> = command.options.shape;
  const options = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { type: 'string' as const, multiple: isArray(field) }]),
  );
  try {
    return { ...parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new UsageError([error instanceof Error ? error.message : String(error)]);
  }
}

function isArray(field: z.core.$ZodType): boolean {
  return field instanceof z.ZodOptional ? isArray(field.unwrap()) : field instanceof z.ZodArray;
}

function sentence(issue: z.core.$ZodIssue, input: Record<string, unknown>): string {
  const key = String(issue.path[0]);
  return `--${key} ${key in input ? issue.message : 'is required'}`;
}
