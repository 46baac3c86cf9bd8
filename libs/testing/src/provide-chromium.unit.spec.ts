import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium, provideChromium } from './provide-chromium';

describe('the Chromium of a machine', () => {
  const home = mkdtempSync(join(tmpdir(), 'chromium-'));
  afterAll(() => rmSync(home, { recursive: true }));

  const folder = (name: string, ...programs: string[]): string => {
    const path = join(home, name);
    mkdirSync(path);
    for (const program of programs) writeFileSync(join(path, program), '');
    return path;
  };

  it('is on the PATH, with any of its names', () => {
    const [empty, later] = [folder('empty'), folder('later', 'google-chrome')];

    expect(findChromium([empty, later].join(delimiter))).toBe(join(later, 'google-chrome'));
    expect(findChromium(empty)).toBeUndefined();
  });

  it('is the headless shell wherever it is on the PATH, because it takes less processor time', () => {
    const [whole, shell] = [folder('whole', 'chromium'), folder('shell', 'chromium-headless-shell')];

    expect(findChromium([whole, shell].join(delimiter))).toBe(join(shell, 'chromium-headless-shell'));
  });

  it('is the headless shell that is installed although there is another one', async () => {
    const path = folder('before', 'chromium');
    const install = (name: string) => {
      writeFileSync(join(path, name), '');
      return Promise.resolve();
    };

    expect(await provideChromium(() => undefined, { install, path })).toBe(join(path, 'chromium-headless-shell'));
  });

  it('is another one if the headless shell cannot be installed', async () => {
    const path = folder('without-network', 'chromium');
    const lines: string[] = [];
    const install = () => Promise.reject(new Error('no network'));

    expect(await provideChromium((line) => lines.push(line), { install, path })).toBe(join(path, 'chromium'));
    expect(lines).toEqual([`chromium-headless-shell could not be installed; using ${join(path, 'chromium')}`]);
    const empty = folder('nothing');
    await expect(provideChromium(() => undefined, { install, path: empty })).rejects.toThrow('no network');
    await expect(provideChromium(() => undefined, { install: null, path: empty })).rejects.toThrow('no Chromium');
  });
});
