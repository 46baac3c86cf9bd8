import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachService } from '@pay/contracts';
import { provisionDatabases } from '@pay/local-servers';
import { onceDatabaseListens } from '@pay/persistence';
import { databaseUrlOf } from '@pay/runtime';
import { endWith } from './end-with';
import { prefixOf } from './open-servers';

const USAGE = `provision <password folder>   makes a role, a database and a schema for each service; can be repeated

password folder: one file per service, named like it, with the password of its role
environment: DATABASE_URL (a user who may create roles and databases; its database name is the prefix of the new ones, or
  payment_gateway where it is postgres), DATABASE_TLS
`;

async function provision(): Promise<number> {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const superuserUrl = databaseUrlOf(process.env);
  const passwords = eachService((service) => readFileSync(join(folder, service), 'utf8').trim());
  const onWait = () => process.stdout.write('Postgres does not listen yet; waiting for up to a minute.\n');
  await onceDatabaseListens(() => provisionDatabases({ superuserUrl, prefix: prefixOf(superuserUrl), passwords }), {
    onWait,
  });
  process.stdout.write('The role and the database of each service are there.\n');
  return 0;
}

void endWith(provision);
