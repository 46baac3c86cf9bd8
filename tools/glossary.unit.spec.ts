import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { EVENT_TYPES } from '@pay/contracts';
import ts from 'typescript';

const ROOT = join(__dirname, '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

/** Words that are not used any more, and existing names that may still contain them, with the reason. */
const rows = JSON.parse(read('tools', 'replaced-words.json')) as {
  readonly words: readonly string[];
  readonly stillInUse?: string;
}[];
const REPLACED = new Set(rows.flatMap(({ words }) => words));
const SURVIVING = new Set(
  rows.flatMap(({ stillInUse = '' }) =>
    [...stillInUse.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => [name, name.replace(/^\w+\./, '')]),
  ),
);

/** Example: `openCourt`, `open-court.unit.spec.ts` and `match.open_court` contain the words open and court. */
const wordsOf = (name: string) => (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
const replacedIn = (names: Iterable<string>) =>
  [...new Set(names)].filter(
    (name) =>
      !SURVIVING.has(name) && wordsOf(name).some((word) => REPLACED.has(word) || REPLACED.has(word.replace(/s$/, ''))),
  );

/** Names of applied migrations cannot change. */
const SKIPPED = /node_modules|[/\\]dist|[/\\]migrations[/\\]|[/\\]fixtures[/\\]/;
const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !SKIPPED.test(path)),
);

function identifiersOf(path: string): Set<string> {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the words that the glossary has replaced', () => {
  it('are listed', () => {
    expect([...REPLACED]).toEqual(expect.arrayContaining(['court', 'docket', 'verdict', 'lane', 'stranger']));
  });

  it('are recognised in the parts of a name', () => {
    expect(replacedIn(['openCourt', 'limit-strangers.ts', 'courtesy', 'device_sightings'])).toEqual([
      'openCourt',
      'limit-strangers.ts',
    ]);
  });

  it('do not occur in names of files', () => {
    expect(replacedIn(files.map((path) => basename(path)))).toEqual([]);
  });

  it('do not occur in identifiers', () => {
    const found = files.flatMap((path) => replacedIn(identifiersOf(path)).map((name) => `${path}: ${name}`));

    expect(found).toEqual([]);
  });

  it('do not occur in names of events, log events and metrics', () => {
    const { logEvents, metrics } = JSON.parse(read('docs', 'telemetry.json')) as Record<
      'logEvents' | 'metrics',
      object
    >;

    expect(replacedIn([...EVENT_TYPES, ...Object.keys(logEvents), ...Object.keys(metrics)])).toEqual([]);
  });
});
