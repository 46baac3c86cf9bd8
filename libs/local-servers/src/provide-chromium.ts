import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installer, installPackage } from './install-package';
import type { Log } from './log';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Path of a Chromium: one on the PATH, else the package of the distribution, else an error that says how to install it.
 */
export async function provideChromium(log: Log): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  const command = installer();
  if (command) {
    await installPackage(command, 'chromium', log);
    const fresh = findChromium();
    if (fresh !== undefined) return fresh;
  }
  throw new Error(
    'There is no Chromium here. Install one and try again (Debian: `sudo apt-get install chromium`; macOS: ' +
      '`brew install --cask chromium`), so that `chromium` is on the PATH.',
  );
}

export function findChromium(path = process.env['PATH'] ?? ''): string | undefined {
  const files = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return files.find((file) => existsSync(file));
}
