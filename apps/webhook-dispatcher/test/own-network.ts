import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWebhookClient } from '../src/adapters/webhook-client';

/** The host of every shop of this network. */
export const SHOP_HOST = 'shop.test';

/**
 * An internet that is this machine: every name is 127.0.0.1, which counts as public here alone, and one certificate is
 * trusted. The only way to have LIVE deliveries arrive anywhere, because no setting opens LIVE.
 */
export function ownNetwork() {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${SHOP_HOST}`, '-addext', `subjectAltName=DNS:${SHOP_HOST}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const out = ['-days', '1', '-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', ...curve, '-nodes', ...subject, ...out], { stdio: 'ignore' });
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  rmSync(folder, { recursive: true });
  const guard = { allows: () => true, allowsHost: () => true };
  const client = createWebhookClient({
    guard,
    resolveHost: () => Promise.resolve(['127.0.0.1']),
    tls: { ca: tls.cert },
  });
  return { tls, network: { guard, client } };
}
