import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build, type Plugin } from 'esbuild';
import type { ChildSettings } from './child-service';

const OUTFILE = join(__dirname, '../../../node_modules/.cache/pay-messaging', `child-${process.pid}.cjs`);

const packagesStayOutside: Plugin = {
  name: 'packages stay outside',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@pay/') ? undefined : { path, external: true },
    );
  },
};

/** Bundles the child once per spec file, with failpoints. */
export async function buildChild(): Promise<void> {
  await build({
    entryPoints: [join(__dirname, 'child-service.ts')],
    outfile: OUTFILE,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    define: { __FAILPOINTS__: 'true' },
    plugins: [packagesStayOutside],
    logLevel: 'error',
  });
}

/** Deletes the bundle again. */
export function removeChild(): void {
  rmSync(OUTFILE, { force: true });
}

export interface Child {
  readonly process: ChildProcess;
  /** Lines of its standard output. */
  readonly lines: readonly string[];
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  stop(): Promise<void>;
}

/** Runs the child; with `failpoint`, such as `consumer.before-commit:kill`, until it gets there. */
export function startChild(settings: ChildSettings, failpoint = ''): Child {
  const child = spawn(process.execPath, [OUTFILE], {
    env: {
      PATH: process.env['PATH'],
      SPEC_LOG: process.env['SPEC_LOG'],
      CHILD: JSON.stringify(settings),
      FAILPOINT: failpoint,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const ended = new Promise<number | string>((resolve) =>
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  return {
    process: child,
    lines,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
