import { parseArgs } from 'node:util';
import { z } from 'zod';

/** One sentence per problem, each naming its argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Not validated. An option is a switch or a list if its field is one. */
export function parseOptions(
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

/** The options, or the help text if it is requested. */
export function readCommand<Schema extends z.ZodObject>(
  words: readonly string[],
  { name, help, options }: { readonly name: string; readonly help: string; readonly options: Schema },
): z.infer<Schema> | string {
  const [command, ...rest] = words;
  if (command === undefined || words.includes('--help') || command === 'help') return help;
  if (command !== name) throw new UsageError([`${command.slice(0, 60)}: unknown command; the command is ${name}`]);
  const result = options.safeParse(parseOptions(rest, options.shape));
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`));
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
