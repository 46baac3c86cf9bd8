import { startPostgres, startRabbitMq, type LocalPostgres } from '@pay/local-servers';
import type { Narrator } from './narrator';

const DATABASE = 'payment_gateway';
/** Databases that every server has: a URL that names one of them names none for us. */
const MAINTENANCE = ['', 'postgres', 'template1'];

export interface OpenPostgres {
  readonly superuserUrl: string;
  /** Name of the database that holds, or will hold, all schemas. */
  readonly database: string;
  /** Folder of the server's Unix socket, if it is ours and has one. */
  readonly socketFolder: string | undefined;
}

export interface ServersOptions {
  readonly runDir: string;
  readonly narrator: Narrator;
  readonly env: NodeJS.ProcessEnv;
  /** Takes what must be stopped at the end, as soon as it runs. */
  readonly onOpen: (stop: () => Promise<void>) => void;
}

/** The Postgres that DATABASE_URL names, else an embedded one. */
export async function openPostgres(options: ServersOptions): Promise<OpenPostgres> {
  const { url: superuserUrl, socketFolder } = await postgres(options);
  const named = decodeURIComponent(new URL(superuserUrl).pathname.slice(1));
  return { superuserUrl, socketFolder, database: MAINTENANCE.includes(named) ? DATABASE : named };
}

type Reached = Pick<LocalPostgres, 'url' | 'socketFolder'>;

async function postgres({ runDir, narrator, env, onOpen }: ServersOptions): Promise<Reached> {
  const given = env['DATABASE_URL'];
  if (given) {
    narrator.say('Postgres: the one that DATABASE_URL names');
    return { url: given, socketFolder: undefined };
  }
  const log = (sentence: string) => narrator.say(sentence);
  const server = await narrator.step('Postgres is up, an embedded one', () => startPostgres({ stateDir: runDir, log }));
  onOpen(() => server.stop());
  return server;
}

/** The RabbitMQ that AMQP_URL names, else a private one; its URL. */
export async function openRabbitMq({ runDir, narrator, env, onOpen }: ServersOptions): Promise<string> {
  const given = env['AMQP_URL'];
  if (given) {
    narrator.say('RabbitMQ: the one that AMQP_URL names');
    return given;
  }
  const log = (sentence: string) => narrator.say(sentence);
  const rabbit = await narrator.step('RabbitMQ is up, a private one', () => startRabbitMq({ stateDir: runDir, log }));
  onOpen(() => rabbit.stop());
  return rabbit.url;
}
