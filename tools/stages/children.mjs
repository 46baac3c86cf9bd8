import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ROOT } from '../bootstrap.mjs';
import { labelLine } from './label-line.mjs';

/** Maximum delay of the last output after the end of a process. */
const LAST_WORDS_MS = 50;

/** Node processes of a test run. Their output is labelled, and none of them outlives the run. */
export class Children {
  #living = new Set();
  #ownGroups;

  /** Without separate groups, processes end together with the group of this one. */
  constructor({ ownGroups = true } = {}) {
    this.#ownGroups = ownGroups;
  }

  /** Starts a script of this checkout. Each line of output is labelled. */
  start(label, args, { env = {}, ipc = false, onLine = () => undefined } = {}) {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0', ...env },
      // A separate process group: Ctrl-C reaches only this command, which then ends all processes in order.
      detached: this.#ownGroups,
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])],
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        onLine(line);
        if (!line.startsWith('Test results written to:')) console.log(labelLine(label, line));
      });
    }
    child.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: null, signal: null, error }));
      // `close` would follow the last output, but is not emitted if this process has closed the channel.
      child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS));
    });
    this.#living.add(child);
    void child.ended.then(() => this.#living.delete(child));
    return child;
  }

  run(label, args, options) {
    return this.start(label, args, options).ended;
  }

  /** Sends SIGTERM, to the whole group if there is one, and SIGKILL after a timeout. */
  async end(child, patienceMs = 10_000) {
    this.#signal(child, 'SIGTERM');
    const timer = setTimeout(() => this.#signal(child, 'SIGKILL'), patienceMs);
    await child.ended;
    clearTimeout(timer);
  }

  async endAll() {
    await Promise.all([...this.#living].filter((child) => !child.endsItself).map((child) => this.end(child)));
  }

  #signal(child, signal) {
    try {
      process.kill(this.#ownGroups ? -child.pid : child.pid, signal);
    } catch {
      // The process has already ended.
    }
  }
}
