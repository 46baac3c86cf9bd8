import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeConfig } from './config';

/** One sentence per problem, each naming its argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The options as given and as validated. Throws a UsageError with all problems. */
export function parseOptions<Schema extends z.ZodObject>(
  words: readonly string[],
  options: Schema,
): { readonly given: Record<string, unknown>; readonly values: z.infer<Schema> } {
  const given = splitOptions(words, options.shape);
  const result = options.safeParse(given);
  if (result.success) return { given, values: result.data };
  throw new UsageError(
    result.error.issues.map(({ path: [key], message }) =>
      String(key) in given ? `--${String(key)} ${message}` : `--${String(key)} is required`,
    ),
  );
}

/** An option is a switch or a list if its field is one. */
function splitOptions(
  words: readonly string[],
  shape: Readonly<Record<string, z.core.$ZodType>>,
): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(shape).map(([key, field]) => {
      const inner = innerOf(field);
      const type = inner instanceof z.ZodBoolean ? ('boolean' as const) : ('string' as const);
      return [key, { type, multiple: inner instanceof z.ZodArray }];
    }),
  );
  try {
    return { ...parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new UsageError([error instanceof Error ? error.message : String(error)]);
  }
}

function innerOf(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault ? innerOf(field.unwrap()) : field;
}

export const instantOption = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z' })
  .transform((text) => new Date(text));

export interface CommandLine<Schema extends z.ZodObject = z.ZodObject> {
  /** As typed before the name of the command. */
  readonly program: string;
  readonly name: string;
  readonly summary: string;
  /** One described key per option, written as `--key=value`. */
  readonly options: Schema;
  /** A complete line. */
  readonly example: string;
  /** Settings and exit codes. */
  readonly notes: string;
}

export function helpOf({ program, name, summary, options, example, notes }: CommandLine): string {
  const rows = describeConfig(options);
  const width = Math.max(0, ...rows.map((row) => row.key.length));
  const lines = rows.map((row) => {
    const note = row.required ? ' (required)' : row.default === undefined ? '' : ` (default: ${row.default})`;
    return `  --${row.key.padEnd(width)}  ${row.description}${note}`;
  });
  return [
    `Usage: ${program} ${name} [--option=value ...]`,
    '',
    `${summary}.`,
    '',
    ...(lines.length === 0 ? ['The command has no options.'] : ['Options:', ...lines]),
    '',
    `Example: ${example}`,
    '',
    notes,
  ].join('\n');
}

/** Runs a program with this command and prints the result as JSON. */
export async function runCommand<Schema extends z.ZodObject>(
  command: CommandLine<Schema>,
  run: (options: z.infer<Schema>) => Promise<object>,
  { failed = 1 } = {},
): Promise<void> {
  const [name, ...rest] = process.argv.slice(2);
  const answer = async () => {
    if (name === undefined || name === 'help' || name === '--help' || rest.includes('--help')) return helpOf(command);
    if (name !== command.name) {
      throw new UsageError([`${name.slice(0, 60)}: unknown command; the command is ${command.name}`]);
    }
    return JSON.stringify(await run(parseOptions(rest, command.options).values), undefined, 2);
  };
  const help = `Example: ${command.example}\n--help describes all options and settings`;
  await printAnswerOf(command.name, answer, { help, failed });
}

const WRONG_INPUT = 2;

/**
 * Prints the result of a command, or its error on standard error, one line per problem after the program's name. Exit
 * codes: 0 success, 2 invalid input, `failed` any other error; `help` is printed with invalid input.
 */
export async function printAnswerOf(
  program: string,
  run: () => Promise<string>,
  { help, failed = 1 }: { readonly help?: string; readonly failed?: number } = {},
): Promise<void> {
  try {
    process.stdout.write(`${await run()}\n`);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    for (const problem of isUsage ? error.problems : [messageOf(error)])
      process.stderr.write(`${program}: ${problem}\n`);
    if (isUsage && help !== undefined) process.stderr.write(`${help}\n`);
    process.exitCode = isUsage ? WRONG_INPUT : failed;
  }
}

/** If a connection is refused on several addresses, the AggregateError has an empty message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
