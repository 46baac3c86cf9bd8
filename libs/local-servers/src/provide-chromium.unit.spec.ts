import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium } from './provide-chromium';

describe('the Chromium of a machine', () => {
  const home = mkdtempSync(join(tmpdir(), 'chromium-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it('is the first on the PATH, with any of its names', () => {
    const [empty, later] = [join(home, 'empty'), join(home, 'later')];
    for (const folder of [empty, later]) mkdirSync(folder);
    writeFileSync(join(later, 'google-chrome'), '');

    expect(findChromium([empty, later].join(delimiter))).toBe(join(later, 'google-chrome'));
    expect(findChromium(empty)).toBeUndefined();
  });
});
