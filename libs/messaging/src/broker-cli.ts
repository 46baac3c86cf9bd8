import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { parseEncryptionKeys } from '@pay/runtime';
import { definitionsOf, rabbitmqctlCommands } from './broker-definitions';
import { formatVerificationKeys, verificationKeysFor } from './event-keys';
import { permissionTable } from './permissions';
import { declareTopology, deleteMessages, removeFormerExchanges } from './whole-topology';

const USAGE = `broker permissions                       what the account of each service may do
broker definitions <password folder>     accounts and exchanges for rabbitmqctl import_definitions, passwords hashed
broker rabbitmqctl <password folder>     the same accounts as rabbitmqctl commands, which read the passwords themselves
broker declare                           makes all exchanges, queues and bindings, with the administrator of AMQP_URL
broker delete-messages                   empties every queue, before a restore of all databases to a point in time
broker remove-former                     removes the exchanges that all services shared in earlier versions
broker new-key <id>                      a random key for EVENT_SIGNING_KEYS
broker verification-keys <service> <key folder>
                                         EVENT_VERIFICATION_KEYS of a service

password folder, key folder: one file per service, named like it, with its password or its EVENT_SIGNING_KEYS
environment: AMQP_URL (declare, delete-messages, remove-former), AMQP_NAMESPACE (empty unless systems share a broker), AMQP_VHOST (default /)
`;

type Environment = Readonly<Record<string, string | undefined>>;
type Command = (args: readonly string[], environment: Environment) => Promise<string> | string;

const COMMANDS: Readonly<Record<string, Command>> = {
  permissions: () => permissionTable(),
  definitions: ([folder], environment) => {
    const passwords = readEach(required(folder));
    return JSON.stringify(
      definitionsOf({ namespace: namespaceOf(environment), vhost: vhostOf(environment), passwords }),
      undefined,
      2,
    );
  },
  rabbitmqctl: ([folder], environment) =>
    rabbitmqctlCommands({
      namespace: namespaceOf(environment),
      vhost: vhostOf(environment),
      passwordFolder: required(folder),
    }).join('\n'),
  declare: async (_, environment) => {
    await declareTopology({ url: required(environment['AMQP_URL']), namespace: namespaceOf(environment) });
    return 'All exchanges, queues and bindings are there.';
  },
  'delete-messages': async (_, environment) => {
    const url = required(environment['AMQP_URL']);
    return `${await deleteMessages({ url, namespace: namespaceOf(environment) })} messages were deleted.`;
  },
  'remove-former': async (_, environment) => {
    await removeFormerExchanges({ url: required(environment['AMQP_URL']), namespace: namespaceOf(environment) });
    return 'The exchanges of earlier versions are gone.';
  },
  'new-key': ([id]) => {
    const key = `${required(id)}:${randomBytes(32).toString('base64')}`;
    parseEncryptionKeys(key);
    return key;
  },
  'verification-keys': ([consumer, folder]) => {
    const service = SERVICES.find((each) => each === consumer);
    if (service === undefined) throw new UsageError();
    const texts = readEach(required(folder));
    const keys = Object.fromEntries(
      SERVICES.map((each) => [each, parseEncryptionKeys(texts[each])]),
    ) as unknown as Parameters<typeof verificationKeysFor>[1];
    return formatVerificationKeys(verificationKeysFor(service, keys));
  },
};

class UsageError extends Error {}

/** For operators: prepares the broker and the keys of events. Answers the exit code. */
export async function brokerCli(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) throw new UsageError();
    print(`${await command(rest, environment)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(USAGE);
    return 2;
  }
}

function required(value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError();
  return value;
}

function namespaceOf({ AMQP_NAMESPACE: namespace = '' }: Environment): string {
  return namespace;
}

function vhostOf({ AMQP_VHOST: vhost = '/' }: Environment): string {
  return vhost;
}

/** One file per service; a missing one is named by the error of the file system. */
function readEach(folder: string): Record<ServiceName, string> {
  return Object.fromEntries(
    SERVICES.map((service) => [service, readFileSync(join(folder, service), 'utf8').trim()]),
  ) as Record<ServiceName, string>;
}
