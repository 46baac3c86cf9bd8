import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { EVENT_TYPES, mayPublish, SERVICES, type EventType } from '@pay/contracts';

const APPS = join(__dirname, '..', 'apps');
const ENTRY_POINTS = ['main', 'migrate', 'cli', 'seed', 'make-seed'];
const ROOT_FILES = [...ENTRY_POINTS, 'create-service', 'service-deps', 'app', 'worker', 'config'];

const source = (app: string) => join(APPS, app, 'src');
const filesOf = (app: string) =>
  readdirSync(source(app), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source(app), join(entry.parentPath, entry.name)));
const textOf = (app: string, file: string) => readFileSync(join(source(app), file), 'utf8');
const filesAtRootOf = (app: string) =>
  readdirSync(source(app), { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

const readmeOf = (app: string) => readFileSync(join(APPS, app, 'README.md'), 'utf8');
const DOCUMENTED = Object.keys(
  (JSON.parse(readFileSync(join(APPS, '..', 'docs', 'openapi.json'), 'utf8')) as { paths: object }).paths,
);

describe.each(SERVICES)('the README of %s', (app) => {
  it('is about a page with one diagram', () => {
    expect(readmeOf(app).split('\n').length).toBeLessThan(85);
    expect(readmeOf(app).match(/^```mermaid$/gm)).toHaveLength(1);
  });

  it('names every event that the service publishes, by its type or its family', () => {
    // Libraries publish some events in every service; their own READMEs describe them.
    const ofLibraries = (type: EventType) => SERVICES.filter((service) => mayPublish(service, type)).length > 2;
    const published = EVENT_TYPES.filter((type) => mayPublish(app, type) && !ofLibraries(type));
    const named = (type: string) =>
      readmeOf(app).includes(type) || readmeOf(app).includes(`${type.split('.')[0] ?? ''}.*`);

    expect(published.filter((type) => !named(type))).toEqual([]);
  });

  it('names only public paths that exist', () => {
    const paths = [...readmeOf(app).matchAll(/(?<!internal)(\/v1\/[\w/-]+)/g)].map(([, path = '']) => path);

    expect(paths.filter((path) => !DOCUMENTED.some((documented) => documented.startsWith(path)))).toEqual([]);
  });
});

describe.each(SERVICES)('the source of %s', (app) => {
  it('has only entry points and the files that put the service together at its root', () => {
    const agreed = ROOT_FILES.flatMap((name) => [`${name}.ts`, `${name}.unit.spec.ts`]);

    expect(filesAtRootOf(app).filter((file) => !agreed.includes(file))).toEqual([]);
  });

  it('has the files that put the service together', () => {
    expect(filesAtRootOf(app)).toEqual(
      expect.arrayContaining(['main.ts', 'create-service.ts', 'service-deps.ts', 'app.ts', 'worker.ts', 'config.ts']),
    );
  });

  it('declares routes only in the *-routes.ts files of its features', () => {
    const declaring = filesOf(app).filter((file) =>
      /\bapp\.(get|post|put|patch|delete)\(|\.(get|post)\(\s*['`]\/|\bserve\(\w+, /.test(textOf(app, file)),
    );

    expect(declaring.length).toBeGreaterThan(0);
    expect(declaring.filter((file) => !/^(?!routes\/).+\/[^/]+-routes\.ts$/.test(file))).toEqual([]);
  });

  it('names its statements only in the *-repository.ts files of its features', () => {
    const naming = filesOf(app).filter((file) =>
      /^(export )?const \w+ = (statement|(inTransaction\.)?(rows|firstRow|onlyRow|command)|count|enqueued(Rows|Changes)?|pageOfRows)[<(]/m.test(
        textOf(app, file),
      ),
    );

    expect(naming.length).toBeGreaterThan(0);
    expect(naming.filter((file) => !/^(?!db\/).+\/[^/]+-repository\.ts$/.test(file))).toEqual([]);
  });

  it('keeps in db/ only what several features use, beside migrations', () => {
    const featuresOf = (file: string) =>
      new Set(
        filesOf(app)
          .filter((user) => textOf(app, user).includes(`/${basename(file, '.ts')}'`))
          .map((user) => user.split('/')[0] ?? ''),
      );
    const ofOneFeature = filesOf(app)
      .filter((file) => /^db\/[^/]+\.ts$/.test(file))
      .filter((file) => !featuresOf(file).has('db') && featuresOf(file).size < 2);

    expect(ofOneFeature).toEqual([]);
  });

  it('is described in a README that names every folder', () => {
    const folders = readdirSync(source(app), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const readme = readmeOf(app);

    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}/\``))).toEqual([]);
  });
});
