import { describeConfig } from '@pay/runtime';
import type { Command, ServiceCommand } from './command';
import { ALL_COMMANDS } from './commands';

const PROGRAM = 'node dist/apps/dashboard-api/cli.js';

const ENVIRONMENT = `Environment:
  DATABASE_URL    Postgres connection of dashboard-api's role (required)
  AMQP_URL        RabbitMQ connection; with it a change reaches the other services at once, without it when
                  dashboard-api next looks into its outbox (about two seconds)
  AMQP_NAMESPACE  Prefix of exchange and queue names, as the services have it
  EVENT_SIGNING_KEYS
                  Keys of dashboard-api's events, as the service has them (needed with AMQP_URL)`;

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
    `${PROGRAM} <command> --help describes the options of a command. Answers are JSON; secrets are printed once.`,
  ].join('\n');
}

export function helpOf(name: string, command: Command | ServiceCommand): string {
  const rows = describeConfig(command.options);
  const width = Math.max(0, ...rows.map((row) => row.key.length));
  const lines = rows.map((row) => {
    const note = row.required ? ' (required)' : row.default === undefined ? '' : ` (default: ${row.default})`;
    return `  --${row.key.padEnd(width)}  ${row.description}${note}`;
  });
  const options = lines.length === 0 ? ['It takes no options.'] : ['Options:', ...lines];
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
