import { startPostgres, startRabbitMq } from '@pay/local-servers';
import type { Narrator } from './narrator';

const DATABASE = 'payment_gateway';
/** Databases that every server has: a URL that names one of them names none for us. */
const MAINTENANCE = ['', 'postgres', 'template1'];

export interface OpenServers {
  readonly superuserUrl: string;
  readonly database: string;
  readonly amqpUrl: string;
}

export interface ServersOptions {
  readonly runDir: string;
  readonly narrator: Narrator;
  readonly env: NodeJS.ProcessEnv;
  /** Takes what must be stopped at the end, as soon as it runs. */
  readonly onOpen: (stop: () => Promise<void>) => void;
}

/** Postgres and RabbitMQ: those that DATABASE_URL and AMQP_URL name, else private ones. */
export async function openServers(options: ServersOptions): Promise<OpenServers> {
  const [superuserUrl, amqpUrl] = await allSettledOrThrow([openPostgres(options), openRabbitMq(options)]);
  const named = decodeURIComponent(new URL(superuserUrl).pathname.slice(1));
  return { superuserUrl, amqpUrl, database: MAINTENANCE.includes(named) ? DATABASE : named };
}

async function openPostgres({ runDir, narrator, env, onOpen }: ServersOptions): Promise<string> {
  const given = env['DATABASE_URL'];
  if (given) {
    narrator.say('Postgres: the one that DATABASE_URL names');
    return given;
  }
  const log = (sentence: string) => narrator.say(sentence);
  const postgres = await narrator.step('Postgres is up, an embedded one', () =>
    startPostgres({ stateDir: runDir, log }),
  );
  onOpen(() => postgres.stop());
  return postgres.url;
}

async function openRabbitMq({ runDir, narrator, env, onOpen }: ServersOptions): Promise<string> {
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

/** Waits for both even if one fails, so that the other is known and can be stopped. */
async function allSettledOrThrow<One, Other>(work: [Promise<One>, Promise<Other>]): Promise<[One, Other]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
