import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(__dirname, '..');

const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => /\.(tsx?|mts|mjs|cjs)$/.test(path) && !/node_modules|\/dist/.test(path)),
);
const texts = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const wordsOf = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

/** Number of files that contain a word, and of occurrences per file. */
const spread = new Map<string, number>();
for (const text of texts.values()) {
  for (const word of new Set(wordsOf(text))) spread.set(word, (spread.get(word) ?? 0) + 1);
}

/** Exports whose names occur only once. Schemas are exempt, because they also document. */
function unusedExportsOf(text: string): string[] {
  const exported = [
    ...text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) ([A-Za-z_$][\w$]*)/gm),
  ].map(([, name = '']) => name);
  if (exported.length === 0) return [];
  const own = wordsOf(text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, ''));
  return exported.filter(
    (name) => !name.endsWith('Schema') && spread.get(name) === 1 && own.filter((word) => word === name).length === 1,
  );
}

/** Files that no module imports: programs, specs and configuration. */
const ENTRIES =
  /\/(main|migrate|cli|seed|make-seed|telemetry|index)\.tsx?$|\.spec\.ts$|^tools\/|\.d\.ts$|\.config\.|\/(test|e2e)\//;
const imported = new Set(
  [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/(?:from|import|require|mock)\s*\(?\s*'(\.{1,2}\/[^'?]*)/g)].map(([, target = '']) =>
      relative(ROOT, resolve(ROOT, path, '..', target)),
    ),
  ),
);
/** Entry points listed in package.json. */
const named = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).flatMap((project) =>
    [...readFileSync(join(ROOT, folder, project, 'package.json'), 'utf8').matchAll(/"(?:\.\/)?(src\/[^"]+)"/g)].map(
      ([, path = '']) => join(folder, project, path),
    ),
  ),
);
const isImported = (path: string) =>
  [path, path.replace(/\.\w+$/, ''), path.replace(/\/index\.\w+$/, '')].some((form) => imported.has(form));

describe('the sources', () => {
  const sources = files.filter((path) => /^(apps|libs)\/[^/]+\/src\//.test(path) && !/\.spec\.ts$/.test(path));

  it('export nothing that is used nowhere', () => {
    const unused = sources.flatMap((path) => unusedExportsOf(texts.get(path) ?? '').map((name) => `${path}: ${name}`));

    expect(unused).toEqual([]);
  });

  it('contain no file that is imported nowhere', () => {
    expect(sources.filter((path) => !ENTRIES.test(path) && !named.includes(path) && !isImported(path))).toEqual([]);
  });

  it('are searched for unused exports', () => {
    expect(sources.length).toBeGreaterThan(500);
    const code = 'export const neverUsed7 = 1;\nexport type NeverUsed8 = 1;\nexport const used = 2; used;';

    expect(unusedExportsOf(code)).toEqual(['neverUsed7', 'NeverUsed8']);
  });
});
