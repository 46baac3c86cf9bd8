import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { installer, installPackage, type Log } from '@pay/local-servers';

/** Uses about a quarter of the processor time per page: the full browser opens a window for each context. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

type Install = (name: string) => Promise<void>;

/**
 * Searches a headless shell on the PATH, then installs the package of the distribution, then accepts another Chromium
 * on the PATH.
 */
export async function provideChromium(
  log: Log,
  { install = installation(log), path }: { readonly install?: Install | null; readonly path?: string } = {},
): Promise<string> {
  const found = findChromium(path);
  if (found !== undefined && basename(found) === SHELL) return found;
  try {
    await install?.(SHELL);
  } catch (error) {
    if (found === undefined) throw error;
    log(`${SHELL} could not be installed; using ${found}`);
  }
  const provided = findChromium(path);
  if (provided !== undefined) return provided;
  throw new Error(
    `There is no Chromium here. Install one and try again (Debian: \`sudo apt-get install ${SHELL}\`; macOS: ` +
      '`brew install --cask chromium`), so that it is on the PATH.',
  );
}

/** Null if nothing can be installed on this machine. */
function installation(log: Log): Install | null {
  const command = installer();
  return command ? (name) => installPackage(command, name, log) : null;
}

export function findChromium(path = process.env['PATH'] ?? ''): string | undefined {
  const folders = path.split(delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file));
}
