import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installer, installPackage, type Log } from '@pay/local-servers';

export interface WantedProgram {
  readonly name: string;
  readonly debianPackage: string;
  /** Another way to install it, for the error message. */
  readonly elsewhere: string;
}

/** Searches the PATH, then installs the package. The error says how to install the program. */
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
