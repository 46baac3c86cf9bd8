import { readFileSync } from 'node:fs';
import { join } from 'node:path';

it('the page explains in both languages why it is empty while its script does not arrive, within its policy', () => {
  const html = readFileSync(join(__dirname, '..', 'index.html'), 'utf8');
  const [root = ''] = /<div id="root">.*?<\/div>/s.exec(html) ?? [];

  expect(root).toContain('The dashboard is loading. If it does not appear, reload this page.');
  expect(root).toMatch(/<p lang="bn">[\u0980-\u09ff।\s]+<\/p>/);
  expect(root).not.toMatch(/\bstyle=|<script/);
  expect(html.match(/<style[^>]*>/g)).toEqual(['<style nonce="__CSP_NONCE__">']);
});
