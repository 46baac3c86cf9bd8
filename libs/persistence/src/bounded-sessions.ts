import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { SESSIONS_LEFT } from './errors';

/** The start distinguishes sessions of different servers. It is hidden from a member of the role that logs in. */
const SESSIONS = `select pid, format('%s %s', pid, extract(epoch from backend_start)) as id from pg_stat_activity`;
const LOOK = `with sessions as (${SESSIONS})
  select (select id from sessions where pid = pg_backend_pid()) as own,
    array(select id from sessions where id = any($1)) as running`;

/** A session whose connection was closed ends after a moment, unless it waits for a standby or a disk. */
const LOOK_AGAIN_MS = [20, 80, 400];
/** Limits the attempts while the server has no room for another session of this pool. */
const REFUSED_PAUSE_MS = 3_000;
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Hook of a pool for new connections. The server does not notice a lost connection while COMMIT waits for a standby or
 * a disk, so a connection whose session still runs keeps its place and a replacement is refused.
 */
export function boundedSessions(most: number): (client: PoolClient) => Promise<void> {
  /** Sessions of connections of the pool. */
  const open = new Set<string>();
  /** Sessions of former connections that may still run. */
  const left = new Set<string>();

  return async (client) => {
    const forgetEnded = async (): Promise<string> => {
      const asked = [...left];
      const { own, running } = await look(client, asked);
      for (const id of asked) if (!running.includes(id)) left.delete(id);
      return own;
    };
    const isFull = () => open.size + left.size >= most;
    const own = await forgetEnded();
    for (const pauseMs of LOOK_AGAIN_MS) {
      if (!isFull()) break;
      await delay(pauseMs);
      await forgetEnded();
    }
    if (isFull()) {
      await client.end();
      await delay(REFUSED_PAUSE_MS);
      throw new Error(`${SESSIONS_LEFT}: ${left.size} sessions of lost connections still run on the server`);
    }
    open.add(own);
    client.once('end', () => {
      open.delete(own);
      left.add(own);
    });
  };
}

async function look(client: PoolClient, asked: readonly string[]) {
  const query = { text: LOOK, values: [asked], query_timeout: LOOK_TIMEOUT_MS };
  const { rows } = await client.query<{ readonly own: string; readonly running: readonly string[] }>(query);
  const [row] = rows;
  if (row === undefined) throw new Error('invariant: a query without a table returns one row');
  return row;
}
