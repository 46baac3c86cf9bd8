import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outsideStateDir, postgresHome } from '../src/postgres-home';
import type { SystemUser } from '../src/unprivileged-user';

// Any user that is neither the owner of the folders nor in their group.
const OTHER_USER: SystemUser = { name: 'other', uid: 64_321, gid: 64_321 };
const isRoot = process.getuid?.() === 0;

describe('the folder of Postgres', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'home-'));
    chmodSync(folder, 0o711);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is inside the state folder if the server runs as the current user', () => {
    expect(postgresHome(join(folder, 'state'), undefined)).toBe(join(folder, 'state', 'postgres'));
  });

  it('lets another user traverse the state folder, and not read it', () => {
    const stateDir = join(folder, 'state');
    mkdirSync(stateDir, { mode: 0o700 });

    postgresHome(stateDir, reachableFor(OTHER_USER, stateDir));

    expect(statSync(stateDir).mode & 0o777).toBe(0o711);
  });

  it('belongs to the user of the server and is not accessible to others', () => {
    const user = reachableFor(OTHER_USER, folder);

    const home = postgresHome(join(folder, 'state'), user);

    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(home).uid).toBe(user.uid);
  });

  // Only root may write to /var/lib, and only root runs the server as another user.
  if (isRoot) {
    it('is outside if the user of the server cannot traverse a parent, and is removed with the state folder', () => {
      const closed = join(folder, 'closed');
      const stateDir = join(closed, 'state');
      mkdirSync(closed, { mode: 0o700 });
      const home = postgresHome(stateDir, OTHER_USER);
      expect(home).toBe(join(outsideStateDir(stateDir), 'postgres'));
      mkdirSync(join(home, 'data'));

      expect(postgresHome(stateDir, OTHER_USER)).toBe(home);
      expect(existsSync(join(home, 'data'))).toBe(true);

      rmSync(stateDir, { recursive: true });
      expect(postgresHome(stateDir, OTHER_USER)).toBe(home);
      expect(existsSync(join(home, 'data'))).toBe(false);

      rmSync(stateDir, { recursive: true });
      const other = join(closed, 'other');
      postgresHome(other, OTHER_USER);
      expect(existsSync(home)).toBe(false);
      rmSync(outsideStateDir(other), { recursive: true });
    });
  }
});

/** Without root, the other user has the current user's id, so folders cannot be outside. */
function reachableFor(user: SystemUser, stateDir: string): SystemUser {
  const { uid, gid } = statSync(stateDir);
  return isRoot ? user : { name: 'self', uid, gid };
}
