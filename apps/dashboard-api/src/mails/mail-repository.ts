import { statement, type Database, type Queryable, type Transaction } from '@pay/persistence';

export interface MailRow {
  readonly id: string;
  readonly sealed: string;
  /** This one included. */
  readonly attempts: number;
  readonly createdAt: Date;
}

const INSERT = statement('mail-insert', 'insert into mails (id, sealed, created_at, due_at) values ($1, $2, $3, $3)');
// Due again later, in case this process dies before it says what became of it.
const TAKE = statement(
  'mails-take',
  `update mails set attempts = attempts + 1, due_at = $2
    where id in (select id from mails where due_at <= $1 order by due_at limit $3 for update skip locked)
   returning id, sealed, attempts, created_at as "createdAt"`,
);
const POSTPONE = statement('mail-postpone', 'update mails set due_at = $2 where id = $1');
const DELETE = statement('mail-delete', 'delete from mails where id = $1');

export async function insertMail(tx: Transaction, id: string, sealed: string, at: Date): Promise<void> {
  await tx.execute(INSERT, [id, sealed, at]);
}

export function takeDueMails(db: Database, now: Date, until: Date, limit: number): Promise<MailRow[]> {
  return db.transaction((tx) => tx.query<MailRow & object>(TAKE, [now, until, limit]));
}

export async function postponeMail(db: Queryable, id: string, until: Date): Promise<void> {
  await db.execute(POSTPONE, [id, until]);
}

export async function deleteMail(db: Queryable, id: string): Promise<void> {
  await db.execute(DELETE, [id]);
}
