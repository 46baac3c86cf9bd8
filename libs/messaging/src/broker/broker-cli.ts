import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachService, SERVICES, type ServiceName } from '@pay/contracts';
import { parseEncryptionKeys, variablesWithFiles } from '@pay/runtime';
import { definitionsOf } from './broker-definitions';
import { verificationKeySetting } from './event-keys';
import { permissionList } from './permissions';
import { declareAllExchanges, declareTopology, deleteMessages } from './whole-topology';

const USAGE = `broker permissions                       prints the permissions of each service's account
broker definitions <password folder>     prints accounts (with hashed passwords) and exchanges for rabbitmqctl import_definitions
broker declare [--queues]                declares the exchanges of all services; AMQP_URL must be an administrator.
                                         --queues also declares their queues and bindings. Never use it after a loss of queues:
                                         a service requests the missed events only for queues that it creates itself
broker delete-messages                   deletes the messages of every queue, before a restore of all databases to a point in time
broker new-key <id>                      prints a random key for EVENT_SIGNING_KEYS
broker verification-keys <service> <key folder>
                                         prints EVENT_VERIFICATION_KEYS of a service

password folder, key folder: one file per service, with the name of the service, that contains its password or its EVENT_SIGNING_KEYS
environment: AMQP_URL (declare, delete-messages); AMQP_NAMESPACE if several systems share a broker;
             AMQP_VHOST (default /); or files of these names in SECRETS_DIRECTORY
`;

type Environment = Readonly<Record<string, string | undefined>>;

interface Broker {
  readonly url: string | undefined;
  readonly namespace: string;
  readonly vhost: string;
}
type Command = (args: readonly string[], broker: Broker) => Promise<string> | string;

const COMMANDS: Readonly<Record<string, Command>> = {
  permissions: () => permissionList(),
  definitions: ([folder], { namespace, vhost }) =>
    JSON.stringify(definitionsOf({ namespace, vhost, passwords: readEach(required(folder)) }), undefined, 2),
  declare: async (options, { url, namespace }) => {
    const [option, ...others] = options;
    if ((option !== undefined && option !== '--queues') || others.length > 0) throw new UsageError();
    const administrator = { url: required(url), namespace };
    if (option === undefined) {
      await declareAllExchanges(administrator);
      return 'All exchanges are declared. Services declare their own queues and bindings.';
    }
    await declareTopology(administrator);
    return 'All exchanges, queues and bindings are declared.';
  },
  'delete-messages': async (_, { url, namespace }) =>
    `${await deleteMessages({ url: required(url), namespace })} messages were deleted.`,
  'new-key': ([id]) => {
    const key = `${required(id)}:${randomBytes(32).toString('base64')}`;
    parseEncryptionKeys(key);
    return key;
  },
  'verification-keys': ([consumer, folder]) => {
    const service = SERVICES.find((each) => each === consumer);
    if (service === undefined) throw new UsageError();
    return verificationKeySetting(service, readEach(required(folder)));
  },
};

class UsageError extends Error {}

export async function brokerCli(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  if (args.includes('--help')) {
    print(USAGE);
    return 0;
  }
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    const isOption = (each: string) => each.startsWith('--') && !(name === 'declare' && each === '--queues');
    if (command === undefined || rest.some(isOption)) throw new UsageError();
    const settings = variablesWithFiles(['AMQP_URL', 'AMQP_NAMESPACE', 'AMQP_VHOST'], environment);
    const { AMQP_URL: url, AMQP_NAMESPACE: namespace = '', AMQP_VHOST: vhost = '/' } = settings;
    print(`${await command(rest, { url, namespace, vhost })}\n`);
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

/** A missing file throws the error of the file system, which names it. */
function readEach(folder: string): Record<ServiceName, string> {
  return eachService((service) => readFileSync(join(folder, service), 'utf8').trim());
}
