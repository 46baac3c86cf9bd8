import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './arguments';
import { gatewayPath } from './gateway-file';

/** A fake of Prometheus. It shares its output with the command, whose output is complete when both have ended. */
const PROMETHEUS = `#!${process.execPath}
if (!process.argv.includes('--version')) setTimeout(() => console.error('Prometheus was not stopped'), 30_000);
`;

describe('observe', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'observe-spec-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stops Prometheus and ends with code 2 when no payment can be played', async () => {
    const [programs, program] = [join(folder, 'bin'), join(folder, 'dist', 'tools', 'observe.js')];
    mkdirSync(programs);
    // The program finds the dashboards two folders above its own.
    symlinkSync(join(ROOT, 'deploy'), join(folder, 'deploy'));
    writeFileSync(join(programs, 'prometheus'), PROMETHEUS, { mode: 0o755 });
    writeFileSync(gatewayPath(folder), JSON.stringify({ merchants: [], services: {} }));
    await build({
      entryPoints: [join(ROOT, 'tools', 'local', 'observe.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      external: ['pg-native'],
      logLevel: 'silent',
    });

    const { status, stderr } = spawnSync(process.execPath, [program, '--run-dir', folder], {
      env: { ...process.env, PATH: [programs, process.env['PATH']].join(delimiter) },
      encoding: 'utf8',
    });

    expect({ status, stderr }).toEqual({ status: 2, stderr: 'the running system has no merchant\n' });
  }, 60_000);
});
