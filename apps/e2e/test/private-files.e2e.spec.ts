import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Every file and folder below one, links excepted, with its permission bits. */
function modesBelow(folder: string): { path: string; mode: number }[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink()) return [];
    const below = stat.isDirectory() ? modesBelow(path) : [];
    return [{ path, mode: stat.mode & 0o777 }, ...below];
  });
}

/** A running server removes files and folders while they are read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

describe('the files of a running system', () => {
  const runDirectory = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

  test('are closed to group and others, those of Postgres and RabbitMQ too', () => {
    // The servers of a test run lie beside the system that uses them.
    const servers = ['postgres', 'rabbitmq'].map((name) => join(dirname(runDirectory), name)).filter(existsSync);
    const modes = [runDirectory, ...servers].flatMap(modesBelow);
    const open = modes
      .filter(({ mode }) => (mode & 0o077) !== 0)
      .map(({ path, mode }) => `${mode.toString(8)} ${relative(runDirectory, path)}`);

    expect(modes.length).toBeGreaterThan(10);
    expect(open).toEqual([]);
  });

  test('lie in a folder that others can step through at most', () => {
    expect(lstatSync(runDirectory).mode & 0o066).toBe(0);
  });
});
