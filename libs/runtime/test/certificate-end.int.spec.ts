import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { certificateChain } from '@pay/testing';
import { createMetrics, showCertificateEnd } from '../src/index';

const DAY_SECONDS = 86_400;

it.each([
  ['the certificate of the server', { authority: 100, server: 10 }],
  ['its authority', { authority: 10, server: 100 }],
])('the end of a chain is that of %s if it is the first one', async (_first, days) => {
  const { authority, cert, key } = certificateChain(days);
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ca: authority });
  await once(client, 'secureConnect');
  const gauge = createMetrics('reconciler').gauge('tls_certificate_end_timestamp_seconds');

  showCertificateEnd(gauge, 'rabbitmq', client);

  const [shown] = (await gauge.get()).values;
  expect(shown?.labels).toEqual({ server: 'rabbitmq' });
  expect(((shown?.value ?? 0) - Date.now() / 1_000) / DAY_SECONDS).toBeCloseTo(10, 1);
  client.destroy();
  server.close();
});
