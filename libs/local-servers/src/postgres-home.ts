import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canReach, hasMode, type SystemUser } from './unprivileged-user';

/**
 * Where Postgres keeps everything. Inside the state folder, unless the server runs as another user who cannot step through
 * its parents (a checkout under /root): then in a folder of its own under /var/lib.
 */
export function postgresHome(stateDir: string, user: SystemUser | undefined): string {
  mkdirSync(stateDir, { recursive: true, mode: 0o755 });
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
  return join('/var/lib', `payment-gateway-${hash}`);
}

/** Both folders carry the same random name, so that removing the state folder by hand forgets what lies outside, too. */
function outsideHome(stateDir: string): string {
  const outside = outsideStateDir(stateDir);
  const ticket = join(stateDir, 'outside-state');
  const ticketOutside = join(outside, 'outside-state');
  if (!existsSync(ticket) || read(ticket) !== read(ticketOutside)) {
    rmSync(outside, { recursive: true, force: true });
    mkdirSync(outside, { recursive: true, mode: 0o755 });
    const name = `${outside}\n${randomUUID()}\n`;
    writeFileSync(ticketOutside, name, { mode: 0o600 });
    writeFileSync(ticket, name, { mode: 0o600 });
  }
  const home = join(outside, 'postgres');
  mkdirSync(home, { recursive: true, mode: 0o755 });
  return home;
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
