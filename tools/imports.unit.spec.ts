import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';

const ROOT = join(__dirname, '..');
const TESTS = /\.spec\.ts$|\/test\//;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts'];

const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => /\.(tsx?|mjs|cjs)$/.test(path) && !/node_modules|\/dist/.test(path) && !TESTS.test(path)),
);
const isFile = new Set(files);

/** Relative imports, including imports of types. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*'(\.[^'?]*)/g)].flatMap(([, target = '']) => {
    const found = ENDINGS.map((ending) => normalize(join(path, '..', target)) + ending).find((each) =>
      isFile.has(each),
    );
    return found === undefined ? [] : [found];
  });
}

const imports = new Map(files.map((path) => [path, importsOf(path)]));

/** The folder below `src`. Files directly in `src` compose the project and belong to no folder. */
const folderOf = (path: string) => /^(?:apps|libs)\/[^/]+\/src\/[^/]+(?=\/)/.exec(path)?.[0];

function importsOfFolders(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    const folder = folderOf(path);
    if (folder === undefined) continue;
    const others = targets.flatMap((target) => folderOf(target) ?? []).filter((target) => target !== folder);
    found.set(folder, [...(found.get(folder) ?? []), ...others]);
  }
  return found;
}

/** Each cycle is a list of names in which each imports the next one. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  const follow = (name: string, before: readonly string[]): void => {
    if (before.includes(name)) circles.add([...before.slice(before.indexOf(name)), name].join(' > '));
    else if (!done.has(name)) for (const next of graph.get(name) ?? []) follow(next, [...before, name]);
    done.add(name);
  };
  for (const name of graph.keys()) follow(name, []);
  return [...circles];
}

describe('imports', () => {
  it('form no circle of files', () => {
    expect(circlesIn(imports)).toEqual([]);
  });

  it('form no circle of the folders of an app or a library', () => {
    expect(circlesIn(importsOfFolders())).toEqual([]);
  });

  it('are found, and circles in them', () => {
    expect(imports.get('apps/reconciler/src/main.ts')).toContain('apps/reconciler/src/create-service.ts');
    expect(importsOfFolders().get('apps/reconciler/src/intake')).toContain('apps/reconciler/src/domain');
    expect(circlesIn(new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['b'], d: [] })))).toEqual(['b > c > b']);
  });
});
