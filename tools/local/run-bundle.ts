import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './arguments';

/** Example: `bundle('intent-api', 'migrate')`. */
export function bundle(app: string, name: string): string {
  return join(ROOT, 'dist', 'apps', app, `${name}.js`);
}

/** Returns the output. Throws the end of it if the program fails. */
export async function runBundle(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.env['SERVICE_NODE'] ?? process.execPath, ['--enable-source-maps', file, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let everything = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    everything += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => (everything += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return output;
  const tail = everything.trimEnd().split('\n').slice(-12).join('\n');
  throw new Error(`${file.slice(ROOT.length + 1)} ended with code ${code}:\n${tail}`);
}
