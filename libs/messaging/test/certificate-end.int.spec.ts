import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { createLogger, createMetrics } from '@pay/runtime';
import { amqpUrl, certificateChain, eventually } from '@pay/testing';
import { BrokerConnection } from '../src/broker/connection';
import { messagingMetrics } from '../src/metrics';

// No client of this file knows the authority: only the end of its certificate is read.
beforeAll(() => (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'));
afterAll(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);

it('a connection by amqps shows when the certificate of the broker ends', async () => {
  const broker = new URL(amqpUrl());
  const { cert, key } = certificateChain({ authority: 100, server: 10 });
  const server = createServer({ cert, key }, (client) => {
    const plain = connect(Number(broker.port), broker.hostname);
    client.pipe(plain).pipe(client);
    client.on('error', () => plain.destroy());
    plain.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(broker);
  url.protocol = 'amqps:';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metrics = createMetrics('reconciler');
  const log = createLogger({ service: 'reconciler', level: 'silent' });

  const connection = await BrokerConnection.open({
    url: url.toString(),
    purpose: 'publish',
    service: 'reconciler',
    log,
    metrics: messagingMetrics(metrics, { query: () => Promise.resolve([]) }, log),
  });

  await eventually(() => connection.isUp, 'the connection is open');
  const [shown] = (await metrics.gauge('tls_certificate_end_timestamp_seconds').get()).values;
  expect(shown?.labels).toEqual({ server: 'rabbitmq' });
  expect(((shown?.value ?? 0) - Date.now() / 1_000) / 86_400).toBeCloseTo(10, 1);
  await connection.close();
  server.close();
});
