import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CertificateChain {
  /** For `ca` of a client. */
  readonly authority: string;
  /** Certificate and key of a server on 127.0.0.1. */
  readonly cert: string;
  readonly key: string;
}

/** Made by openssl. Both certificates are valid from now on for the given numbers of days. */
export function certificateChain(days: { readonly authority: number; readonly server: number }): CertificateChain {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-chain-'));
  const path = (name: string) => join(folder, name);
  const create = (name: string, valid: number, ...more: string[]) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', String(valid), '-subj', `/CN=${name}`],
        ...['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`), ...more],
      ],
      { stdio: 'pipe' },
    );
  try {
    create('authority', days.authority);
    const signed = ['-CA', path('authority.crt'), '-CAkey', path('authority.key')];
    create(
      'server',
      days.server,
      ...signed,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    );
    const read = (name: string) => readFileSync(path(name), 'utf8');
    return { authority: read('authority.crt'), cert: read('server.crt'), key: read('server.key') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
