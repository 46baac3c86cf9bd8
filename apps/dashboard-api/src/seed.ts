import { readFileSync } from 'node:fs';
import { printAnswerOf, UsageError } from '@pay/runtime';
import { withWriter } from './cli/with-writer';
import { seedMerchants } from './seed/seed-merchants';
import { readSeed } from './seed/read-seed';

const HELP = `Usage: node dist/apps/dashboard-api/seed.js <file, or - for standard input>

Makes the merchants that a seed of make-seed.js describes, and prints their ids. A second run changes nothing.

Environment:
  DATABASE_URL    Postgres connection of dashboard-api's role (required)
  AMQP_URL        RabbitMQ connection; with it the other services receive the change immediately
  AMQP_NAMESPACE  Prefix of exchange and queue names, as the services have it
  EVENT_SIGNING_KEYS
                  Keys of dashboard-api's events, as the service has them (needed with AMQP_URL)`;

async function run(): Promise<string> {
  const [path, ...more] = process.argv.slice(2);
  if (path === '--help' || path === '-h') return HELP;
  if (path === undefined || more.length > 0)
    throw new UsageError(['exactly one argument is needed: the seed file, or -']);
  const seed = readSeed(path === '-' ? 'standard input' : path, () => readFileSync(path === '-' ? 0 : path, 'utf8'));
  const answer = await withWriter({ env: process.env, actor: 'seed' }, (deps, tx) => seedMerchants(deps, tx, seed));
  return JSON.stringify(answer, undefined, 2);
}

void printAnswerOf('seed', run);
