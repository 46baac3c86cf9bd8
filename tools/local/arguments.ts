import { parseArgs, type ParseArgsConfig } from 'node:util';
import { resolve } from 'node:path';
import { messageOf } from './message-of';

export const ROOT = resolve(__dirname, '..', '..');
const DEFAULT_PORT = 8080;

export const USAGE = `npm start -- [--port N] [--no-demo] [--run-dir FOLDER]
  --port N          port of the public address, default ${DEFAULT_PORT}; if it is in use, the next free port
  --no-demo         do not run the demo payment
  --run-dir FOLDER  folder for data, secrets and logs, default .run
Environment: DATABASE_URL (a Postgres whose user may create roles), AMQP_URL (a RabbitMQ), AMQP_PASSWORDS_FILE
(JSON with the passwords of the service accounts); without them a private Postgres and RabbitMQ are started.
SERVICE_NODE (path of the Node.js binary for the services; default: the version of their images, installed from npm).
LOG_LEVEL, OTEL_* and TRACE_SAMPLE_RATIO are passed to the services.
Example: npm start -- --port ${DEFAULT_PORT} --no-demo`;

export interface StartOptions {
  readonly port: number;
  readonly demo: boolean;
  readonly runDir: string;
  readonly help: boolean;
}

/** Throws an Error with a message for the user. */
export function parseStartArguments(args: readonly string[], cwd = process.cwd()): StartOptions {
  const values = readOptions(args, USAGE, {
    port: { type: 'string' },
    'no-demo': { type: 'boolean', default: false },
    'run-dir': { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(
      `--port must be a whole number from 1 to 65535, not ${String(values.port)}. Example: npm start -- --port ${DEFAULT_PORT}`,
    );
  }
  return {
    port,
    demo: !values['no-demo'],
    runDir: values['run-dir'] === undefined ? resolve(ROOT, '.run') : resolve(cwd, values['run-dir']),
    help: values.help,
  };
}

/** An error message contains the usage. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}
