import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { preProcessFile } from 'typescript';

const ROOT = join(__dirname, '..');

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
}

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const root = manifestOf('.');
const projects = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
);

interface Source {
  readonly text: string;
  readonly isStyle: boolean;
  readonly isTest: boolean;
}

function sourcesOf(project: string): Source[] {
  return readdirSync(join(ROOT, project), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mts|mjs|cjs|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/node_modules|\/dist\//.test(path))
    .map((path) => ({
      text: readFileSync(path, 'utf8'),
      isStyle: path.endsWith('.css'),
      isTest: /\.spec\.ts$|\.config\.\w+$|\/test\//.test(path),
    }));
}

/** Example: `@pay/messaging/testing` becomes `@pay/messaging`. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function importsOf({ text, isStyle }: Source): string[] {
  if (isStyle) return [...text.matchAll(/url\('(@[^/']+\/[^/']+)/g)].map(([, name = '']) => name);
  return preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !/^[./]|:/.test(name) && !isBuiltin(name) && !text.includes(`declare module '${name}'`))
    .map(packageOf);
}

/**
 * A package of npm has the same section as in the root package.json, so that images contain exactly the packages that
 * services load.
 */
function expectedOf(project: string): { dependencies: Versions; devDependencies: Versions } {
  const { name: self } = manifestOf(project);
  const dependencies: Record<string, string> = {};
  const devDependencies: Record<string, string> = {};
  const sources = sourcesOf(project);
  const inProduction = new Set(sources.filter(({ isTest }) => !isTest).flatMap(importsOf));
  for (const name of new Set(sources.flatMap(importsOf))) {
    if (name === self) continue;
    const version = name.startsWith('@pay/') ? '*' : (root.dependencies?.[name] ?? root.devDependencies?.[name]);
    const isForTests = !inProduction.has(name) || root.devDependencies?.[name] !== undefined;
    (isForTests ? devDependencies : dependencies)[name] = version ?? 'not in the root';
  }
  return { dependencies, devDependencies };
}

/** Removes packages that are resolved and not imported. Example: `require.resolve('axe-core/axe.min.js')`. */
function withoutResolved(declared: Versions, sources: readonly Source[], imported: Versions): Versions {
  const isResolved = (name: string) => sources.some(({ text }) => new RegExp(`['\`]@?${name}['\`/]`).test(text));
  const isLeftOut = (name: string, version: string) =>
    !(name in imported) && isResolved(name) && version === { ...root.devDependencies, ...root.dependencies }[name];
  return Object.fromEntries(Object.entries(declared).filter(([name, version]) => !isLeftOut(name, version)));
}

describe.each(projects)('%s', (project) => {
  it('declares the packages that it imports, and no others, in the version of the root', () => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(project);
    const expected = expectedOf(project);
    const sources = sourcesOf(project);

    expect({
      dependencies: withoutResolved(dependencies, sources, expected.dependencies),
      devDependencies: withoutResolved(devDependencies, sources, expected.devDependencies),
    }).toEqual(expected);
  });
});
