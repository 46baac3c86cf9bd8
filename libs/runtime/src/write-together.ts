import type { Socket } from 'node:net';

const together = new WeakSet<Socket>();

/**
 * Lets everything that is written to a socket in one turn of the event loop leave in one system call. Drivers write
 * message by message, and at a few hundred payments a second the calls cost more than what they carry. Nothing waits
 * longer than the turn. Once per socket is enough.
 */
export function writeTogether(socket: Socket): void {
  if (together.has(socket)) return;
  together.add(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let corked = false;
  socket.write = (...args: unknown[]) => {
    if (!corked) {
      corked = true;
      socket.cork();
      process.nextTick(() => {
        corked = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
}
