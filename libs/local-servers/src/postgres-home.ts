import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, hasMode, type SystemUser } from './unprivileged-user';

const OUTSIDE = '/var/lib';
const PREFIX = 'payment-gateway-';

/**
 * The folder of all files of Postgres, inside the state folder. If the server runs as another user who cannot traverse
 * its parents (a checkout under /root), it is a folder under /var/lib.
 */
export function postgresHome(stateDir: string, user: SystemUser | undefined): string {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  if (user) letPass(stateDir);
  const inside = join(resolve(stateDir), 'postgres');
  if (!user || (canReach(user, inside) && hasMode(user, stateDir, 0o1))) {
    return ownedHome(inside, user);
  }
  return outsideHome(resolve(stateDir), user);
}

/** The folder of a state folder's Postgres if it cannot be inside it. */
export function outsideStateDir(stateDir: string): string {
  const hash = createHash('sha256').update(resolve(stateDir)).digest('hex').slice(0, 12);
  return join(OUTSIDE, `${PREFIX}${hash}`);
}

/**
 * Both folders have the same random name, so that the outer one is found as abandoned when the state folder is deleted
 * by hand.
 */
function outsideHome(stateDir: string, user: SystemUser): string {
  forgetOrphans();
  const outside = outsideStateDir(stateDir);
  const ticket = join(stateDir, 'outside-state');
  const ticketOutside = join(outside, 'outside-state');
  if (!existsSync(ticket) || read(ticket) !== read(ticketOutside)) {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside, { recursive: true, mode: 0o711 });
    const name = `${outside}\n${randomUUID()}\n${stateDir}\n`;
    writeFileSync(ticketOutside, name, { mode: 0o600 });
    writeFileSync(ticket, name, { mode: 0o600 });
  }
  // Whatever the umask is: the user of the server has to traverse it.
  chmodSync(outside, 0o711);
  return ownedHome(join(outside, 'postgres'), user);
}

/** Accessible only to the user of the server, who may be another user. */
function ownedHome(home: string, user: SystemUser | undefined): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (user) chownSync(home, user.uid, user.gid);
  return home;
}

/**
 * Temporary folders are created without access for others. Only traversal is permitted, and only for folders of the
 * current user.
 */
function letPass(stateDir: string): void {
  const { uid, mode } = statSync(stateDir);
  if (uid === process.getuid?.()) chmodSync(stateDir, mode | 0o111);
}

/** Outside folders whose state folder was deleted and whose server has ended. */
function forgetOrphans(): void {
  for (const name of readdirSync(OUTSIDE).filter((each) => each.startsWith(PREFIX))) {
    const outside = join(OUTSIDE, name);
    const stateDir = read(join(outside, 'outside-state'))?.split('\n')[2];
    const isServing = existsSync(join(outside, 'postgres', 'data', 'postmaster.pid'));
    if (stateDir && !existsSync(stateDir) && !isServing) rmSync(outside, { recursive: true, force: true });
  }
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
