import { statement, type Database } from '@pay/persistence';

const TAKE = statement(
  'messaging-take-turn',
  `update messaging_turns set next_at = now() + $2 * interval '1 millisecond'
    where name = (select name from messaging_turns where name = $1 and next_at <= now() for update skip locked)`,
);

/** Whether this process may run a periodic task now, on behalf of all replicas. */
export async function takeTurn(db: Database, name: 'probe' | 'declare', everyMs: number): Promise<boolean> {
  return (await db.execute(TAKE, [name, everyMs])) === 1;
}
