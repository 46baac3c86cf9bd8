import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(__dirname, '..', '..', '..');
const ENTRIES = ['main', 'cli', 'seed', 'make-seed'];

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The response, parsed as JSON. */
  readonly answer: any;
}

export interface Bundles {
  /** Runs a program to its end. */
  run(program: string, words: readonly string[], env?: Record<string, string>, stdin?: string): Promise<Outcome>;
  /** Starts a program that stays. */
  start(program: string, env: Record<string, string>): ChildProcess;
  remove(): void;
}

/** The programs of this app, built as they are shipped: our code in one file, packages outside. */
export async function buildBundles(): Promise<Bundles> {
  // Below the repository, so that the packages are found.
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'dashboard-api-'));
  await build({
    entryPoints: ENTRIES.map((name) => join(ROOT, 'apps', 'dashboard-api', 'src', `${name}.ts`)),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    define: { __FAILPOINTS__: 'false' },
    logLevel: 'silent',
    plugins: [
      {
        name: 'packages stay outside',
        setup: (plugins) =>
          plugins.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@pay/') ? undefined : { path, external: true },
          ),
      },
    ],
  });
  const start = (program: string, words: readonly string[], env: Record<string, string>) =>
    spawn(process.execPath, [join(outdir, `${program}.js`), ...words], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...env },
    });

  return {
    async run(program, words, env = {}, stdin = '') {
      const child = start(program, words, env);
      const output = { stdout: '', stderr: '' };
      child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
      child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
      child.stdin.end(stdin);
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
      const isJson = output.stdout.startsWith('{');
      return { code, ...output, answer: isJson ? JSON.parse(output.stdout) : undefined };
    },
    start: (program, env) => start(program, [], env),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
