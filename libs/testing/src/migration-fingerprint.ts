import { createHash, type Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './workspace-root';

/**
 * A hash of the migrations of the service and of all libraries. It contains the caller, because tests of a library
 * migrate another schema under the name of a service.
 */
export function migrationFingerprint(service: string, asker: string): string {
  const root = workspaceRoot(__dirname);
  const hash = createHash('sha256').update(`${service}\n${asker}\n`);
  addFolder(hash, join(root, 'apps', service, 'src', 'db'));
  for (const lib of readdirSync(join(root, 'libs'))) addFolder(hash, join(root, 'libs', lib, 'src'), isMigration);
  return hash.digest('hex').slice(0, 12);
}

function isMigration(path: string): boolean {
  return path.includes('migration');
}

function addFolder(hash: Hash, folder: string, wanted: (path: string) => boolean = () => true): void {
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(wanted);
  for (const file of files.sort()) hash.update(file).update(readFileSync(file));
}
