import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, hasMode, type SystemUser } from './unprivileged-user';

const OUTSIDE = '/var/lib';
const PREFIX = 'payment-gateway-';

/**
 * Where Postgres keeps everything. Inside the state folder, unless the server runs as another user who cannot step through
 * its parents (a checkout under /root): then in a folder of its own under /var/lib.
 */
export function postgresHome(stateDir: string, user: SystemUser | undefined): string {
  mkdirSync(stateDir, { recursive: true, mode: 0o755 });
  if (user) letPass(stateDir);
  const inside = join(resolve(stateDir), 'postgres');
  if (!user || (canReach(user, inside) && hasMode(user, stateDir, 0o1))) {
    mkdirSync(inside, { recursive: true, mode: 0o755 });
    return inside;
  }
  return outsideHome(resolve(stateDir));
}

/** The folder that holds a state folder's Postgres when it cannot lie inside it. */
export function outsideStateDir(stateDir: string): string {
  const hash = createHash('sha256').update(resolve(stateDir)).digest('hex').slice(0, 12);
  return join(OUTSIDE, `${PREFIX}${hash}`);
}

/** Both folders carry the same random name, so that removing the state folder by hand forgets what lies outside, too. */
function outsideHome(stateDir: string): string {
  forgetOrphans();
  const outside = outsideStateDir(stateDir);
  const ticket = join(stateDir, 'outside-state');
  const ticketOutside = join(outside, 'outside-state');
  if (!existsSync(ticket) || read(ticket) !== read(ticketOutside)) {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside, { recursive: true, mode: 0o755 });
    const name = `${outside}\n${randomUUID()}\n${stateDir}\n`;
    writeFileSync(ticketOutside, name, { mode: 0o600 });
    writeFileSync(ticket, name, { mode: 0o600 });
  }
  const home = join(outside, 'postgres');
  mkdirSync(home, { recursive: true, mode: 0o755 });
  return home;
}

/** Temporary folders are closed to others when they are made; this one is ours, and only stepping through is allowed. */
function letPass(stateDir: string): void {
  const { uid, mode } = statSync(stateDir);
  if (uid === process.getuid?.()) chmodSync(stateDir, mode | 0o111);
}

/** Folders outside whose state folder somebody has removed, and whose server has ended. */
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
