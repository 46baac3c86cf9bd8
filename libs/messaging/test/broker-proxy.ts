import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { amqpUrl } from '@pay/testing';

export interface Link {
  readonly client: Socket;
  readonly broker: Socket;
}

type Forward = (bytes: Buffer, link: Link) => void;

/** Forwards connections to the shared broker. A given function sends the bytes of its direction instead. */
export async function brokerProxy({ toBroker, toClient }: { toBroker?: Forward; toClient?: Forward }) {
  const { hostname, port } = new URL(amqpUrl());
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const broker = connect(Number(port), hostname);
    sockets.push(client, broker);
    if (toBroker) client.on('data', (bytes) => toBroker(bytes, { client, broker }));
    else client.pipe(broker);
    if (toClient) broker.on('data', (bytes) => toClient(bytes, { client, broker }));
    else broker.pipe(client);
    client.on('error', () => undefined).on('close', () => broker.destroy());
    broker.on('error', () => undefined).on('close', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(amqpUrl());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
