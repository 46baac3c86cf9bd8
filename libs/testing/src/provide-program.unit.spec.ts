import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from './provide-program';

describe('a program of a machine', () => {
  const home = mkdtempSync(join(tmpdir(), 'program-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it('is the first on the PATH', () => {
    const [empty, later] = [join(home, 'empty'), join(home, 'later')];
    for (const folder of [empty, later]) mkdirSync(folder);
    writeFileSync(join(later, 'php'), '');

    expect(findProgram('php', [empty, later].join(delimiter))).toBe(join(later, 'php'));
    expect(findProgram('php', empty)).toBeUndefined();
  });
});
