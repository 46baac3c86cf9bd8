/** Prints or writes every secret of a new installation once. `tools/new-secrets.mjs` describes and checks arguments. */
import { parseArgs } from 'node:util';
import { COMPOSE_HOSTS, composeSecretFiles, writeSecretFiles } from './compose-secrets';
import { endWith } from './end-with';
import { newInstallationSecrets, SERVER_HOSTS, secretObjects, storeEntries } from './installation-secrets';
import { newCertificates } from './private-certificates';

/** Invalid address: mails of the local overlay wait until they are given up. */
const NO_MAIL_SERVER = 'smtp://mail.payment-gateway.invalid:587';

function run(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'smtp-url': { type: 'string' } } });
  const [form, folder] = positionals;
  const smtpUrl = values['smtp-url'];
  if (form === 'cluster') {
    const secrets = newInstallationSecrets({ smtpUrl: smtpUrl ?? NO_MAIL_SERVER });
    print({ apiVersion: 'v1', kind: 'List', items: secretObjects(secrets, newCertificates(SERVER_HOSTS)) });
  }
  if (form === 'store' && smtpUrl !== undefined) {
    print(storeEntries(newInstallationSecrets({ smtpUrl })));
  }
  if (form === 'compose' && folder !== undefined) {
    const secrets = newInstallationSecrets({
      smtpUrl: smtpUrl ?? NO_MAIL_SERVER,
      postgresHost: COMPOSE_HOSTS.postgres[0],
      rabbitmqHost: COMPOSE_HOSTS.rabbitmq[0],
    });
    writeSecretFiles(folder, composeSecretFiles(secrets, newCertificates(COMPOSE_HOSTS)));
    process.stdout.write(`The secrets of a new installation are in ${folder}.\n`);
  }
  return 0;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

void endWith(run);
