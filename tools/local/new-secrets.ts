/**
 * `node tools/new-secrets.mjs cluster|store|compose [--smtp-url=URL]`: every secret of a new installation, printed once
 * and kept nowhere. `cluster` prints the Secrets of deploy/k8s/overlays/local for `kubectl apply -f -`, certificates
 * included; `store` prints the entries that the other overlays read from a secret store; `compose` writes the files
 * that deploy/compose mounts into a new folder.
 */
import { parseArgs } from 'node:util';
import { COMPOSE_HOSTS, composeSecretFiles, writeSecretFiles } from './compose-secrets';
import { newInstallationSecrets, SERVER_HOSTS, secretObjects, storeEntries } from './installation-secrets';
import { messageOf } from './message-of';
import { newCertificates } from './private-certificates';

const USAGE = `new-secrets cluster                   Secrets of deploy/k8s/overlays/local, for kubectl apply -f -
new-secrets store --smtp-url=URL      entries of the secret store that the other overlays read, as JSON
new-secrets compose FOLDER [--smtp-url=URL]
                                      files of deploy/compose, in a folder that must not exist
`;
/** Invalid address: mails of the local overlay wait until they are given up. */
const NO_MAIL_SERVER = 'smtp://mail.payment-gateway.invalid:587';

function run(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'smtp-url': { type: 'string' } } });
  const [form, folder] = positionals;
  const smtpUrl = values['smtp-url'];
  if (form === 'cluster') {
    const secrets = newInstallationSecrets({ smtpUrl: smtpUrl ?? NO_MAIL_SERVER });
    print({ apiVersion: 'v1', kind: 'List', items: secretObjects(secrets, newCertificates(SERVER_HOSTS)) });
    return 0;
  }
  if (form === 'store' && smtpUrl !== undefined) {
    print(storeEntries(newInstallationSecrets({ smtpUrl })));
    return 0;
  }
  if (form === 'compose' && folder !== undefined) {
    const secrets = newInstallationSecrets({
      smtpUrl: smtpUrl ?? NO_MAIL_SERVER,
      postgresHost: COMPOSE_HOSTS.postgres[0],
      rabbitmqHost: COMPOSE_HOSTS.rabbitmq[0],
    });
    writeSecretFiles(folder, composeSecretFiles(secrets, newCertificates(COMPOSE_HOSTS)));
    process.stdout.write(`The secrets of a new installation are in ${folder}.\n`);
    return 0;
  }
  process.stderr.write(USAGE);
  return 2;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

try {
  process.exitCode = run();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
