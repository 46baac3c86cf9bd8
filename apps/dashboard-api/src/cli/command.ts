import type { Transaction } from '@pay/persistence';
import type { z } from 'zod';
import type { RepairDeps } from '../sign-in/repair-access';

/** A command as the table holds it: its input has been checked before `run` sees it. */
export interface Command {
  readonly summary: string;
  /** One key per option, described; `--key=value` on the command line, arrays by repetition. */
  readonly options: z.ZodObject;
  readonly exampleInput?: undefined;
  /** Runs in one transaction. Its result is printed as JSON after the commit. */
  run(deps: RepairDeps, tx: Transaction, input: unknown): Promise<object>;
}

/** A command that uses other services and no database. */
export interface ServiceCommand {
  readonly summary: string;
  readonly options: z.ZodObject;
  /** The standard input of the command's example. */
  readonly exampleInput?: string | undefined;
  /** The answer is printed as JSON before the process ends with the exit code. */
  ask(env: NodeJS.ProcessEnv, input: unknown): Promise<ServiceAnswer>;
}

export interface ServiceAnswer {
  readonly answer: object;
  readonly exitCode: number;
}

export function serviceCommand<Options extends z.ZodObject>(definition: {
  summary: string;
  options: Options;
  exampleInput?: string;
  run: (env: NodeJS.ProcessEnv, input: z.infer<Options>) => Promise<ServiceAnswer>;
}): ServiceCommand {
  const { summary, options, exampleInput, run } = definition;
  return { summary, options, exampleInput, ask: (env, input) => run(env, options.parse(input)) };
}

export function command<Options extends z.ZodObject>(definition: {
  summary: string;
  options: Options;
  run: (deps: RepairDeps, tx: Transaction, input: z.infer<Options>) => Promise<object>;
}): Command {
  const { summary, options, run } = definition;
  return { summary, options, run: (deps, tx, input) => run(deps, tx, options.parse(input)) };
}
