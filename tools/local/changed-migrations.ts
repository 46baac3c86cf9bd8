const MIGRATION = /^-- migration (\S+) ([0-9a-f]{64})$/gm;

/** Migrations that both schema files list with different checksums. */
export function changedMigrations(before: string, after: string): string[] {
  const checksums = new Map([...after.matchAll(MIGRATION)].map(([, name = '', checksum = '']) => [name, checksum]));
  return [...before.matchAll(MIGRATION)]
    .filter(([, name = '', checksum]) => checksums.has(name) && checksums.get(name) !== checksum)
    .map(([, name = '']) => name);
}
