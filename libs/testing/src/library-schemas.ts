import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './workspace-root';

/** The committed dumps of the tables of libraries, which the dumps of services do not repeat. */
export function librarySchemas(): { readonly path: string; readonly text: string }[] {
  const root = workspaceRoot(__dirname);
  return readdirSync(join(root, 'libs'))
    .map((library) => `libs/${library}/src/schema.sql`)
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
