import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadImages, prepareReleases } from './images';
import { parseClusterOptions } from './options';

describe('loadImages', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'load-images-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('runs a command of several words once per image, with the image as last argument', async () => {
    const source = join(folder, 'source');
    writeFileSync(source, '');

    await loadImages(`cp ${source}`, [join(folder, 'first'), join(folder, 'second')]);

    expect(readdirSync(folder).sort()).toEqual(['first', 'second', 'source']);
  });
});

describe('prepareReleases', () => {
  it('refuses an unknown commit before it builds an image', async () => {
    const releases = prepareReleases(parseClusterOptions(['--from', 'no-such-commit']));

    await expect(releases).rejects.toThrow('fatal: invalid reference: no-such-commit');
  });
});
