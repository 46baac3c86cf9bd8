import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs', 'threat-model.md'), 'utf8');

describe('docs/threat-model.md', () => {
  const named = [...new Set(DOCUMENT.match(/[\w./-]+\.spec\.ts/g) ?? [])];

  it('links a test for every control', () => {
    const controls = DOCUMENT.split('\n').filter(
      (line) => /^\| (?!threat|-)/.test(line) && line.split('|').length === 5,
    );

    expect(controls.filter((row) => !row.includes('.spec.ts'))).toEqual([]);
    expect(controls.length).toBeGreaterThan(20);
  });

  it.each(named)('names a test that exists: %s', (path) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
  });
});
