import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceService } from './replace-service';

const INTERNET = join(__dirname, 'own-internet.cjs');

/** The only host that the dispatcher can resolve. Its public address is never really connected to. */
export const SHOP_HOST = 'shop.test';
const SHOP_ADDRESS = '11.22.33.44';

export interface ShopTls {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly certFile: string;
  remove(): void;
}

/** Self-signed. */
export function shopCertificate(): ShopTls {
  const folder = mkdtempSync(join(tmpdir(), 'shop-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${SHOP_HOST}`, '-addext', `subjectAltName=DNS:${SHOP_HOST}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-days', '1', '-keyout', keyFile, '-out', certFile], {
    stdio: 'ignore',
  });
  return {
    key: readFileSync(keyFile),
    cert: readFileSync(certFile),
    certFile,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Replaces webhook-dispatcher by a process with the same program and settings, for which the shop has a public address.
 * Returns the function that restores the original.
 */
export async function liveDispatcher(runDirectory: string, certFile: string): Promise<() => Promise<void>> {
  const { putBack } = await replaceService(runDirectory, 'webhook-dispatcher', {
    NODE_OPTIONS: `--require "${INTERNET}"`,
    NODE_EXTRA_CA_CERTS: certFile,
    SHOP_HOST,
    SHOP_ADDRESS,
  });
  return putBack;
}
