import { join } from 'node:path';
import { outputOf } from '@pay/local-servers';
import { ROOT } from './arguments';

/** Example: `bundle('intent-api', 'migrate')`. */
export function bundle(app: string, name: string): string {
  return join(ROOT, 'dist', 'apps', app, `${name}.js`);
}

/** Returns the output. Throws the end of it if the program fails. */
export function runBundle(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const title = file.slice(ROOT.length + 1);
  return outputOf(serviceNode(), ['--enable-source-maps', file, ...args], { cwd: ROOT, env, title });
}

/** The Node.js of the services. */
export function serviceNode(): string {
  return process.env['SERVICE_NODE'] ?? process.execPath;
}
