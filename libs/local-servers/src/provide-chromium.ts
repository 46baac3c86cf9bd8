import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installer, installPackage } from './install-package';
import type { Log } from './log';

/** A page in the headless shell takes about two thirds of the processor time that it takes in the whole browser. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Path of a Chromium, for use without a window: one on the PATH, else the package of the distribution, else an error
 * that says how to install it.
 */
export async function provideChromium(log: Log): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  const command = installer();
  if (command) {
    await installPackage(command, SHELL, log);
    const fresh = findChromium();
    if (fresh !== undefined) return fresh;
  }
  throw new Error(
    `There is no Chromium here. Install one and try again (Debian: \`sudo apt-get install ${SHELL}\`; macOS: ` +
      '`brew install --cask chromium`), so that it is on the PATH.',
  );
}

export function findChromium(path = process.env['PATH'] ?? ''): string | undefined {
  const folders = path.split(delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file));
}
