import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installer, installPackage } from './install-package';
import type { Log } from './log';

export interface WantedProgram {
  /** Name of the command. */
  readonly name: string;
  /** The Debian package that contains it. */
  readonly debianPackage: string;
  /** Another way to install it, for the error message. */
  readonly elsewhere: string;
}

/**
 * Path of a program: one on the PATH, else the package of the distribution, else an error that says how to install it.
 */
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
