import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'docs', 'walkthroughs');
const pages = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const filesIn = (text: string) =>
  [...text.matchAll(/`((?:apps|libs|tools|docs|deploy)\/[^`\s]+)`/g)].map(([, path = '']) => path);

it('there are four walkthroughs', () => {
  expect(pages.map(({ name }) => name)).toEqual([
    'confirm-by-trx-id.md',
    'create-an-intent.md',
    'log-in.md',
    'sms-to-webhook.md',
  ]);
});

describe.each(pages)('the walkthrough $name', ({ text }) => {
  const steps = filesIn(
    text
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .join('\n'),
  );

  it('is a page with one diagram', () => {
    expect(text.split('\n').length).toBeLessThan(60);
    expect(text.match(/```mermaid/g)).toHaveLength(1);
  });

  it('names files that exist', () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(filesIn(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('reaches each file once, so that the reader does not alternate between files', () => {
    expect(steps.filter((path, index) => steps.indexOf(path) !== index)).toEqual([]);
  });
});

it('docs/finding-your-way.md names files that exist, found in at most two guesses', () => {
  const text = readFileSync(join(ROOT, 'docs', 'finding-your-way.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line));

  expect(rows).toHaveLength(12);
  expect(rows.map((row) => filesIn(row).length).filter((files) => files === 0)).toEqual([]);
  expect(filesIn(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  for (const row of rows) expect(row.split('|').at(-2)?.trim()).toMatch(/^[12]$/);
});
