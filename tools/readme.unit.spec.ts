import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const LONGEST_CELL = 100;

describe('the README', () => {
  it('names every npm script once, in the table or in the list of further commands, and no other', () => {
    const named = [...readme.matchAll(/^(?:\||-) `npm (?:run )?([a-z0-9:-]+)/gm)].map(([, name]) => name);

    expect(named.toSorted()).toEqual(Object.keys(scripts).toSorted());
  });

  it('has short cells', () => {
    const cells = readme.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split('|') : []));

    expect(cells.length).toBeGreaterThan(50);
    expect(cells.map((cell) => cell.trim()).filter((cell) => cell.length > LONGEST_CELL)).toEqual([]);
  });

  it('has a row for every app and library', () => {
    const folders = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${folder}/${name}`),
    );
    const described = [...readme.matchAll(/`((?:apps|libs)\/[a-z0-9-]+)`/g)].map(([, name]) => name);

    expect([...new Set(described)].toSorted()).toEqual(folders.toSorted());
  });

  it('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);

    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(() => readdirSync(join(ROOT, path, '..'))).not.toThrow();
    for (const path of links) expect(readdirSync(join(ROOT, path, '..'))).toContain(path.split('/').at(-1));
  });
});
