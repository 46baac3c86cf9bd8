import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@pay/contracts';

const ROOT = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const lines = read('deploy', 'docker', 'Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
const inLastStage = (instruction: string) => lastStage.filter((line) => line.startsWith(`${instruction} `));

describe('the Dockerfile', () => {
  it('takes the base image of every stage from the build argument, which names a version', () => {
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    const stages = lines.flatMap((line) => line.match(/^FROM \S+ AS (\S+)$/)?.[1] ?? []);

    expect(lines[0]).toMatch(/^ARG NODE_IMAGE=node:24-/);
    expect(bases.filter((base) => !['${NODE_IMAGE}', 'scratch', ...stages].includes(base ?? ''))).toEqual([]);
  });

  it('ends in a stage without a shell, which runs nothing while it is built', () => {
    expect(lastStage[0]).toBe('FROM scratch');
    expect(inLastStage('RUN')).toEqual([]);
  });

  it('runs node itself as user 10001', () => {
    expect(inLastStage('USER')).toEqual(['USER 10001:10001']);
    expect(inLastStage('ENTRYPOINT')).toEqual([
      'ENTRYPOINT ["node", "--enable-source-maps", "--require", "/app/telemetry.js"]',
    ]);
    expect(inLastStage('CMD')).toEqual([]);
  });

  it('is of production, and names version and commit in labels and in the environment', () => {
    const text = lastStage.join('\n');

    expect(text).toContain('NODE_ENV=production');
    expect(text).toContain('org.opencontainers.image.version="${RELEASE_VERSION}"');
    expect(text).toContain('org.opencontainers.image.revision="${RELEASE_COMMIT}"');
    expect(text).toContain('ENV RELEASE_VERSION=${RELEASE_VERSION} RELEASE_COMMIT=${RELEASE_COMMIT}');
  });

  it('installs the packages of the lockfile, without their scripts', () => {
    const installs = lines.filter((line) => /\bnpm (?:ci|install|prune)\b/.test(line));

    expect(installs.length).toBeGreaterThan(0);
    for (const line of installs) expect(line).toMatch(/npm (?:ci|prune) .*--ignore-scripts/);
  });

  it('is given no file but sources', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));

    expect(ignored[0]).toBe('*');
    expect(ignored.filter((line) => line.startsWith('!')).toSorted()).toEqual([
      '!apps',
      '!libs',
      '!package-lock.json',
      '!package.json',
      '!tools',
      '!tsconfig.base.json',
      '!tsconfig.json',
    ]);
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '**/test', '**/*.spec.ts']));
  });
});

describe('the description of the image', () => {
  it('names every service, every program for operators and every setting of the image', () => {
    const description = read('deploy', 'README.md');
    const tools = /const TOOLS = \[(.*)\];/.exec(read('tools', 'image-files.mjs'))?.[1]?.match(/[a-z-]+/g) ?? [];
    const settings = inLastStage('ENV').flatMap((line) => line.match(/\b[A-Z_]+(?==)/g) ?? []);

    expect(SERVICES.filter((service) => !description.includes(`\`${service}\``))).toEqual([]);
    expect(description).toContain('`/app/apps/dashboard-web`');
    expect(tools.length).toBeGreaterThan(3);
    expect(tools.filter((tool) => !description.includes(`/app/tools/${tool}.js`))).toEqual([]);
    expect(settings.filter((name) => name !== 'PATH' && !description.includes(name))).toEqual([]);
    expect(
      readdirSync(join(ROOT, 'apps'))
        .filter((app) => app !== 'e2e' && app !== 'dashboard-web')
        .toSorted(),
    ).toEqual([...SERVICES].toSorted());
  });
});
