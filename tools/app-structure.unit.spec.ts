import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const APPS = join(__dirname, '..', 'apps');
const ENTRY_POINTS = ['main', 'migrate', 'cli', 'seed', 'make-seed'];
const ROOT_FILES = [...ENTRY_POINTS, 'create-service', 'app', 'worker', 'config'];
/** Apps that are divided into feature folders. */
const DIVIDED = ['checkout-api', 'dashboard-api', 'intent-api', 'reconciler', 'webhook-dispatcher'];

const filesAtRootOf = (app: string) =>
  readdirSync(join(APPS, app, 'src'), { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

describe.each(DIVIDED)('the source of %s', (app) => {
  it('has only entry points and the files that put the service together at its root', () => {
    const agreed = ROOT_FILES.flatMap((name) => [`${name}.ts`, `${name}.unit.spec.ts`]);

    expect(filesAtRootOf(app).filter((file) => !agreed.includes(file))).toEqual([]);
  });

  it('has main.ts, create-service.ts, app.ts and worker.ts', () => {
    expect(filesAtRootOf(app)).toEqual(
      expect.arrayContaining(['main.ts', 'create-service.ts', 'app.ts', 'worker.ts', 'config.ts']),
    );
  });

  it('is described in a README that names every folder', () => {
    const folders = readdirSync(join(APPS, app, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const readme = readFileSync(join(APPS, app, 'README.md'), 'utf8');

    expect(folders.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}/\``))).toEqual([]);
  });
});
