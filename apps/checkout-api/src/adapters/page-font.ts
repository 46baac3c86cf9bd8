import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PACKAGE = '@fontsource/hind-siliguri';

export interface PageFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * For phones without a Bangla font; its name contains a hash of the content, so that browsers may cache it forever. The
 * licence is OFL 1.1.
 */
export function readPageFont(): { readonly font: PageFile; readonly licence: PageFile } {
  const bytes = readFileSync(require.resolve(`${PACKAGE}/files/hind-siliguri-bengali-400-normal.woff2`));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    font: { name: `hind-siliguri-${hash}.woff2`, type: 'font/woff2', bytes },
    licence: {
      name: 'hind-siliguri.licence.txt',
      type: 'text/plain; charset=utf-8',
      bytes: readFileSync(require.resolve(`${PACKAGE}/LICENSE`)),
    },
  };
}
