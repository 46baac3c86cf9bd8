import type { Socket } from 'node:net';

const together = new WeakSet<Socket>();

/**
 * Sends everything that is written to a socket in one turn of the event loop in one system call, because drivers write
 * each message separately. `onSend` runs once per such turn; calls after the first have no effect.
 */
export function writeTogether(socket: Socket, onSend?: () => void): void {
  if (together.has(socket)) return;
  together.add(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let corked = false;
  socket.write = (...args: unknown[]) => {
    if (!corked) {
      corked = true;
      onSend?.();
      socket.cork();
      process.nextTick(() => {
        corked = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
}
