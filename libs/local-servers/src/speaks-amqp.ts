import { connect } from 'node:net';

/** Whether a server answers the protocol header of AMQP 0-9-1 with a frame. */
export function speaksAmqp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(3_000, () => answer(false));
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
    socket.once('connect', () => socket.write(Buffer.from('AMQP\0\0\u0009\u0001', 'latin1')));
    socket.once('data', (bytes) => answer(bytes[0] === 1));
  });
}
