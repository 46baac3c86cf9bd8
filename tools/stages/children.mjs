import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ROOT } from '../bootstrap.mjs';
import { labelLine } from './label-line.mjs';

/** How long what an ended process has printed may take to arrive. */
const LAST_WORDS_MS = 50;

/** The Node processes of a test run: their output is labelled, and none of them outlives the run. */
export class Children {
  #living = new Set();
  #ownGroups;

  /** Without their own groups, processes end with the group of this one. */
  constructor({ ownGroups = true } = {}) {
    this.#ownGroups = ownGroups;
  }

  /** Starts a script of this checkout; each line it prints is shown behind the label. */
  start(label, args, { env = {}, ipc = false, onLine = () => undefined } = {}) {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: '0', ...env },
      // A separate process group, so that Ctrl-C reaches only this command, which then ends all processes in order.
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
      // `close` would come after the last output, but never comes for a channel that we have closed ourselves.
      child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS));
    });
    this.#living.add(child);
    void child.ended.then(() => this.#living.delete(child));
    return child;
  }

  run(label, args, options) {
    return this.start(label, args, options).ended;
  }

  /** SIGTERM to the whole group if it has one, SIGKILL after a timeout. */
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
      // It is gone already.
    }
  }
}
