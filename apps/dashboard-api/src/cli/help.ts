import { describeConfig } from '@pay/runtime';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';

export const PROGRAM = 'node dist/apps/dashboard-api/cli.js';

const ENVIRONMENT = `Environment:
  DATABASE_URL    URL of the database with the role of dashboard-api (required)
  AMQP_URL        URL of RabbitMQ; if set, changes are published immediately, otherwise by the running dashboard-api
                  within about two seconds
  AMQP_NAMESPACE  Prefix of exchange and queue names, same value as in the services
  EVENT_SIGNING_KEYS
                  Keys that sign events, same value as in dashboard-api (required with AMQP_URL)`;

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

export function helpOf(name: string, command: Command | ServiceCommand): string {
  const rows = describeConfig(command.options);
  const width = Math.max(0, ...rows.map((row) => row.key.length));
  const lines = rows.map((row) => {
    const note = row.required ? ' (required)' : row.default === undefined ? '' : ` (default: ${row.default})`;
    return `  --${row.key.padEnd(width)}  ${row.description}${note}`;
  });
  const options = lines.length === 0 ? ['The command has no options.'] : ['Options:', ...lines];
  return [
    `Usage: ${PROGRAM} ${name} [--option=value ...]`,
    '',
    `${command.summary}.`,
    '',
    ...options,
    '',
    ENVIRONMENT,
  ].join('\n');
}
