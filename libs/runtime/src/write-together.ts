import type { Socket } from 'node:net';

const together = new WeakSet<Socket>();

/**
 * Sends everything that is written to a socket in one turn of the event loop in one system call. Drivers write each
 * message separately, which costs more than the messages at a few hundred payments per second; call this once per
 * socket.
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
