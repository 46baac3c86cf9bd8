import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const [SHARED = '', ...SECTIONS] = readFileSync(join(ROOT, 'docs', 'retention.md'), 'utf8')
  .split('\n## ')
  .slice(1);
const COLUMNS = 5;

/** Tables of a section, with the cells of their rows. */
function rowsOf(section: string): Map<string, string[]> {
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((line) => {
      const cells = line.split('|').slice(1, -1);
      return [cells[0]?.replaceAll('`', '').trim() ?? '', cells.map((cell) => cell.trim())];
    }),
  );
}

const tablesIn = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^table (\w+)/gm)].map(([, name = '']) => name);
const schemas = readdirSync(join(ROOT, 'apps')).flatMap((app) => {
  const path = join(ROOT, 'apps', app, 'src', 'db', 'schema.sql');
  return existsSync(path) ? [{ app, tables: tablesIn(path) }] : [];
});
const tablesOfLibraries = readdirSync(join(ROOT, 'libs'))
  .map((library) => join(ROOT, 'libs', library, 'src', 'schema.sql'))
  .filter((path) => existsSync(path))
  .flatMap(tablesIn);
const shared = rowsOf(SHARED);

describe('docs/retention.md', () => {
  it.each(schemas)('lists every table of $app and no other', ({ app, tables }) => {
    const own = rowsOf(SECTIONS.find((section) => section.startsWith(`${app}\n`)) ?? '');

    expect([...own.keys()].toSorted()).toEqual(tables.filter((table) => !shared.has(table)).toSorted());
  });

  it('lists every table of a library as shared', () => {
    expect(tablesOfLibraries).toContain('outbox');
    expect(tablesOfLibraries.filter((table) => !shared.has(table))).toEqual([]);
  });

  it('lists no shared table that no service has', () => {
    const known = new Set([...tablesOfLibraries, ...schemas.flatMap(({ tables }) => tables)]);

    expect([...shared.keys()].filter((table) => !known.has(table))).toEqual([]);
    expect(schemas).toHaveLength(6);
  });

  it('documents for every table how it grows, how long rows are kept, by which setting and how they are deleted', () => {
    const rows = [SHARED, ...SECTIONS].flatMap((section) => [...rowsOf(section).values()]);

    expect(rows.filter((cells) => cells.length !== COLUMNS || cells.includes(''))).toEqual([]);
  });

  it('names settings that exist', () => {
    const configs = schemas.map(({ app }) => readFileSync(join(ROOT, 'apps', app, 'src', 'config.ts'), 'utf8')).join();
    const named = [SHARED, ...SECTIONS].join().match(/`[A-Z_]+_DAYS`/g) ?? [];

    expect(named.filter((setting) => !configs.includes(setting.replaceAll('`', '')))).toEqual([]);
  });
});
