import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(__dirname, '..');

const files = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => /\/src\/.*migrations/.test(path) && path.endsWith('.ts') && !path.includes('node_modules')),
);
const stampedNames = files.flatMap((path) =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/name: '(\d{14}-[a-z0-9-]+)'/g)].map(([, name = '']) => name),
);

/** A date that is parsed and formatted again is only equal if every part is in its range. */
function isValid(name: string): boolean {
  const [year = '', month, day, hour, minute, second] = name.match(/^\d{4}|\d\d(?=\d*-)/g) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().replaceAll(/\D/g, '').startsWith(name.slice(0, 14));
}

describe('the statistics of columns', () => {
  const schemas = files
    .map((path) => `${/^(.*\/src\/(?:db\/)?)/.exec(path)?.[0]}schema.sql`)
    .filter((path, at, all) => all.indexOf(path) === at && existsSync(join(ROOT, path)));

  it('are checked in every service and every library with tables', () => {
    expect(schemas).toHaveLength(9);
  });

  it.each(schemas)('are those that migrations set in %s, because ANALYZE reads the largest sample', (path) => {
    const schema = readFileSync(join(ROOT, path), 'utf8');

    expect(schema.match(/^-- default statistics: .*$/gm) ?? []).toEqual([]);
  });
});

describe('the stamps of migrations', () => {
  it('are found in services and libraries', () => {
    expect(stampedNames.filter((name) => name.endsWith('-create-schema'))).toHaveLength(6);
    expect(stampedNames.length).toBeGreaterThan(6);
  });

  it('are valid UTC times, because hour 24 sorts differently as text and as time', () => {
    expect(stampedNames.filter((name) => !isValid(name))).toEqual([]);
  });

  it.each(['20261123240000-x', '20261123096000-x', '20260230120000-x'])(
    'are refused where no such time exists: %s',
    (name) => {
      expect(isValid(name)).toBe(false);
    },
  );
});
