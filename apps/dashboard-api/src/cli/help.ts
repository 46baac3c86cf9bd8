import { helpOf } from '@pay/runtime';
import { z } from 'zod';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';

export const PROGRAM = 'node dist/apps/dashboard-api/cli.js';

const ENVIRONMENT = `Environment:
  DATABASE_URL    URL of the database with the role of dashboard-api (required)
  AMQP_URL        URL of RabbitMQ; if set, changes are published immediately, otherwise by the running dashboard-api
                  within about two seconds
  AMQP_NAMESPACE  Prefix of exchange and queue names, same value as in the services
  EVENT_SIGNING_KEYS
                  Keys that sign events, same value as in dashboard-api (required with AMQP_URL)
  TOTP_ENCRYPTION_KEYS
                  Keys that encrypt unsent mails, same value as in dashboard-api; without them no mail is sent`;

/** Contains every required option with a valid value. */
export function exampleOf(name: string, { options, exampleInput }: Command | ServiceCommand): string {
  const fields = Object.entries<z.core.$ZodType>(options.shape);
  const required = fields.filter(([, field]) => !z.safeParse(field, undefined).success);
  const words = required.map(([key, field]) => `--${key}=${exampleValue(key, field)}`);
  return [...(exampleInput === undefined ? [] : [`echo ${exampleInput} |`]), PROGRAM, name, ...words].join(' ');
}

function exampleValue(key: string, field: z.core.$ZodType): string {
  const { examples } = z.globalRegistry.get(field) ?? {};
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  if (typeof example !== 'string') throw new Error(`invariant: the required option --${key} has an example`);
  return example;
}

export function helpOfAll(): string {
  const width = Math.max(...Object.keys(ALL_COMMANDS).map((name) => name.length));
  const lines = Object.entries(ALL_COMMANDS).map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`);
  return [
    `Usage: ${PROGRAM} <command> [--option=value ...]`,
    '',
    'Commands:',
    ...lines,
    '',
    ENVIRONMENT,
    '',
    `${PROGRAM} <command> --help prints the options of a command. Output is JSON; secrets are printed only once.`,
  ].join('\n');
}

export function helpOfCommand(name: string, command: Command | ServiceCommand): string {
  const { summary, options } = command;
  return helpOf({ program: PROGRAM, name, summary, options, example: exampleOf(name, command), notes: ENVIRONMENT });
}
