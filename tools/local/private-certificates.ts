import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const DAYS = '825';
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Server certificates by host name, and the authority that signed them. The key of the authority is deleted, so that it
 * cannot sign further certificates.
 */
export function newCertificates<Server extends string>(
  hosts: Readonly<Record<Server, readonly string[]>>,
): { readonly authority: string; readonly servers: Readonly<Record<Server, Certificate>> } {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-days', DAYS, '-subj', '/CN=payment-gateway private authority'],
      ...['-keyout', path('ca.key'), '-out', path('ca.crt'), '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    );
    const servers = Object.entries<readonly string[]>(hosts).map(([server, names]) => {
      const subject = `/CN=${names[0] ?? server}`;
      openssl('req', ...NEW_KEY, '-subj', subject, '-keyout', path(`${server}.key`), '-out', path(`${server}.csr`));
      const extensions = [
        'keyUsage=critical,digitalSignature',
        'extendedKeyUsage=serverAuth',
        `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
      ];
      writeFileSync(path(`${server}.ext`), extensions.join('\n'));
      openssl(
        ...['x509', '-req', '-in', path(`${server}.csr`), '-CA', path('ca.crt'), '-CAkey', path('ca.key')],
        ...['-CAcreateserial', '-days', DAYS, '-extfile', path(`${server}.ext`), '-out', path(`${server}.crt`)],
      );
      const read = (kind: string) => readFileSync(path(`${server}.${kind}`), 'utf8');
      return [server, { certificate: read('crt'), key: read('key') }] as const;
    });
    return {
      authority: readFileSync(path('ca.crt'), 'utf8'),
      servers: Object.fromEntries(servers) as Record<Server, Certificate>,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
