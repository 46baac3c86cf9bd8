/**
 * `node tools/new-secrets.mjs cluster|store [--smtp-url=URL]`: every secret of a new installation, printed once and kept nowhere.
 * `cluster` prints the Secrets of deploy/k8s/overlays/local for `kubectl apply -f -`, certificates included; `store` prints the entries
 * that the other overlays read from a secret store.
 */
import { parseArgs } from 'node:util';
import { newInstallationSecrets, SERVER_HOSTS, secretObjects, storeEntries } from './installation-secrets';
import { newCertificates } from './private-certificates';

const USAGE = `new-secrets cluster                   Secrets of deploy/k8s/overlays/local, for kubectl apply -f -
new-secrets store --smtp-url=URL      entries of the secret store that the other overlays read, as JSON
`;
/** Takes no mail: what the local overlay would send waits and is given up. */
const NO_MAIL_SERVER = 'smtp://mail.payment-gateway.invalid:587';

function run(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'smtp-url': { type: 'string' } } });
  const [form] = positionals;
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
  process.stderr.write(USAGE);
  return 2;
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

process.exitCode = run();
