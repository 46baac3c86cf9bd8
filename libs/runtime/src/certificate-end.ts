import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';
import type { Gauge } from './metrics';

/** Shows when the first certificate of a server's chain ends. A connection without TLS changes nothing. */
export function showCertificateEnd(gauge: Gauge<'server'>, server: 'postgres' | 'rabbitmq', stream: unknown): void {
  if (!(stream instanceof TLSSocket)) return;
  const ends = new Set<number>();
  let certificate: Partial<DetailedPeerCertificate> | undefined = stream.getPeerCertificate(true);
  // The issuer of a root is the root itself; a resumed session has no certificate.
  while (certificate?.valid_to !== undefined) {
    ends.add(Date.parse(certificate.valid_to));
    if (certificate.issuerCertificate === certificate) break;
    certificate = certificate.issuerCertificate;
  }
  if (ends.size > 0) gauge.set({ server }, Math.min(...ends) / 1_000);
}
