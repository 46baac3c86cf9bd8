import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';

const STOP_MS = 30_000;

/** Processes, databases, queues and connections of a benchmark, which are closed also if it is stopped. */
export class Opened {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private closing: Promise<void> | undefined;

  /** `close` is also called if this is closed while `open` runs. */
  async open<T>(open: () => T | Promise<T>, close: (opened: T) => unknown): Promise<T> {
    if (this.closing !== undefined) throw new Error('The benchmark ends.');
    const opening = Promise.resolve(open());
    this.steps.push(() => opening.then(close, () => undefined));
    return opening;
  }

  /** A part that can be closed earlier. */
  async part(): Promise<Opened> {
    return this.open(
      () => new Opened(),
      (part) => part.close(),
    );
  }

  /** Closes everything in reverse order, once. Throws the first error at the end. */
  close(): Promise<void> {
    return (this.closing ??= this.closeSteps());
  }

  private async closeSteps(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.steps.toReversed()) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}

export async function withOpened<T>(opened: Opened, use: (part: Opened) => Promise<T>): Promise<T> {
  const part = await opened.part();
  try {
    return await use(part);
  } finally {
    await part.close();
  }
}

/** The channel tells the program the end of this process. */
export async function openProgram(opened: Opened, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = await opened.open(
    () => spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }),
    endChild,
  );
  return { child, output: child.stdout as Readable };
}

const STOP_AT_DISCONNECT = `
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();`;

/** The end of this process stops the program like SIGTERM. Its output is appended to a file. */
export async function openService(opened: Opened, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string) {
  const stop = ['--import', `data:text/javascript,${encodeURIComponent(STOP_AT_DISCONNECT)}`];
  return opened.open(() => {
    const output = openSync(logFile, 'a', 0o600);
    const child = spawn(process.execPath, [...stop, ...args], { env, stdio: ['ignore', output, output, 'ipc'] });
    closeSync(output);
    return child;
  }, endChild);
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  // A paused process handles no other signal.
  child.kill('SIGCONT');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}
