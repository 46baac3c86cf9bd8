import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPageFiles } from './read-page-files';

describe('readPageFiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds nothing where the dashboard was not built', () => {
    expect(readPageFiles(join(folder, 'none'))).toBeUndefined();
  });

  it('compresses what becomes smaller, and reads only files of known types', () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<p>__CSP_NONCE__</p>');
    writeFileSync(join(folder, 'assets', 'a-1.js'), 'x'.repeat(1_000));
    writeFileSync(join(folder, 'assets', 'b-1.css'), 'p');
    writeFileSync(join(folder, 'assets', 'c-1.map'), '{}');

    const files = readPageFiles(folder);

    expect(files?.index).toContain('__CSP_NONCE__');
    expect([...(files?.assets.keys() ?? [])].sort()).toEqual(['a-1.js', 'b-1.css']);
    expect(files?.assets.get('a-1.js')?.gzipped?.length).toBeLessThan(1_000);
    expect(files?.assets.get('b-1.css')?.gzipped).toBeUndefined();
  });
});
