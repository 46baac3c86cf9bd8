import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CSS = readFileSync(join(__dirname, 'bangla-font.css'), 'utf8');
const LANGUAGE = readFileSync(join(__dirname, 'language.tsx'), 'utf8');

it('the Bangla font is known in both languages, and downloaded only for Bangla letters', () => {
  const [, ...faces] = CSS.split('@font-face');
  expect(faces).toHaveLength(2);
  for (const face of faces) {
    expect(face).toMatch(/unicode-range:[^;]*u\+0980-09fe/i);
    expect(face).not.toMatch(/unicode-range:[^;]*u\+00/i);
  }
  expect(LANGUAGE).toMatch(/^import '\.\/bangla-font\.css';$/m);
});
