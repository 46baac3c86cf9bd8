import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { writeTogether } from './write-together';

describe('writing together', () => {
  it('sends the writes of one turn in one call, in order, and those of the next turn separately', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[peer]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')]);
    writeTogether(socket);
    writeTogether(socket);
    const calls: number[] = [];
    const inner = socket as unknown as { _writev: (chunks: unknown[], done: () => void) => void };
    const writev = inner._writev.bind(socket);
    inner._writev = (chunks, done) => {
      calls.push(chunks.length);
      writev(chunks, done);
    };

    for (const text of ['a', 'b', 'c']) socket.write(text);
    await new Promise(setImmediate);
    for (const text of ['d', 'e']) socket.write(text);
    socket.end();
    const chunks: Buffer[] = [];
    for await (const chunk of peer) chunks.push(chunk);
    server.close();

    expect(Buffer.concat(chunks).toString()).toBe('abcde');
    expect(calls).toEqual([3, 2]);
  });
});
