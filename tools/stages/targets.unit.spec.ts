import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

const targetsOf = (file: string): string[] => {
  const { nx, targets } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
    nx?: { targets?: object };
    targets?: object;
  };
  return Object.keys(nx?.targets ?? targets ?? {});
};

const specsBelow = (folder: string): string[] =>
  (readdirSync(join(ROOT, folder), { recursive: true }) as string[]).filter((path) => path.endsWith('.spec.ts'));

describe('the stages of npm test', () => {
  const projects = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => ({
      root: join(folder, name),
      file: join(folder, name, 'package.json'),
    })),
  );
  projects.push({ root: 'tools', file: 'project.json' });

  it.each([
    ['unit', /\.unit\.spec\.ts$/],
    ['integration', /\.int\.spec\.ts$/],
  ])('have the target %s of every project with such specs', (target, kind) => {
    const withSpecs = projects.filter(({ root }) => specsBelow(root).some((path) => kind.test(path)));
    const withoutTarget = withSpecs.filter(({ file }) => !targetsOf(file).includes(target));

    expect(withSpecs.length).toBeGreaterThan(10);
    expect(withoutTarget.map(({ root }) => root)).toEqual([]);
  });

  it('have no target with the name of a script of the root, which Nx would run in its place', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };

    expect(targetsOf('project.json').filter((target) => target in scripts)).toEqual([]);
  });

  it('have every spec: none lies outside of apps, libs and tools, or has another ending', () => {
    const others = ['deploy', 'docs'].flatMap(specsBelow);
    const unnamed = ['apps', 'libs', 'tools']
      .flatMap(specsBelow)
      .filter((path) => !/\.(unit|int|e2e)\.spec\.ts$/.test(path));

    expect([...others, ...unnamed]).toEqual([]);
  });
});
