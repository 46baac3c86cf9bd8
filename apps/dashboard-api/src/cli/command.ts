import type { Transaction } from '@pay/persistence';
import type { z } from 'zod';
import type { RepairDeps } from '../sign-in/repair-access';

/** `run` receives a validated input. */
export interface Command {
  readonly summary: string;
  /** One described key per option, written as `--key=value`. Arrays are repeated options. */
  readonly options: z.ZodObject;
  readonly exampleInput?: undefined;
  /** Runs in one transaction. The result is printed as JSON after the commit. */
  run(deps: RepairDeps, tx: Transaction, input: unknown): Promise<object>;
}

/** A command that calls other services and needs no database. */
export interface ServiceCommand {
  readonly summary: string;
  readonly options: z.ZodObject;
  /** Standard input of the example. */
  readonly exampleInput?: string | undefined;
  /** The result is printed as JSON, and the process ends with the exit code. */
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
