import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installer, installPackage } from './install-package';
import type { Log } from './log';

export interface WantedProgram {
  /** As it is called. */
  readonly name: string;
  /** The package of Debian that brings it. */
  readonly debianPackage: string;
  /** How else to get it. */
  readonly elsewhere: string;
}

/** Path of a program: one on the PATH, else the distribution's package, else a sentence that helps. */
export async function provideProgram({ name, debianPackage, elsewhere }: WantedProgram, log: Log): Promise<string> {
  const found = findProgram(name);
  if (found !== undefined) return found;
  const command = installer();
  if (command) {
    await installPackage(command, debianPackage, log);
    const fresh = findProgram(name);
    if (fresh !== undefined) return fresh;
  }
  throw new Error(
    `There is no ${name} here. Install it and try again (Debian: \`sudo apt-get install ${debianPackage}\`; ${elsewhere}), ` +
      `so that \`${name}\` is on the PATH.`,
  );
}

export function findProgram(name: string, path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}
