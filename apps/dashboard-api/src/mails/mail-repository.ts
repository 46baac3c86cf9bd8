import { command, firstRow, inTransaction, rows } from '@pay/persistence';

export interface MailRow {
  readonly id: string;
  readonly sealed: string;
  /** Includes this attempt. */
  readonly attempts: number;
  readonly createdAt: Date;
}

export const insertMail = inTransaction.command<[id: string, sealed: string, at: Date]>(
  'mail-insert',
  'insert into mails (id, sealed, created_at, due_at) values ($1, $2, $3, $3)',
);

/** Other processes may take the mail at `until`, if this process dies before it has sent it. */
export const takeDueMails = rows<MailRow, [now: Date, until: Date, limit: number]>(
  'mails-take',
  `update mails set attempts = attempts + 1, due_at = $2
    where id in (select id from mails where due_at <= $1 order by due_at limit $3 for update skip locked)
   returning id, sealed, attempts, created_at as "createdAt"`,
);

export const postponeMail = command<[id: string, until: Date]>(
  'mail-postpone',
  'update mails set due_at = $2 where id = $1',
);

export const deleteMail = command<[id: string]>('mail-delete', 'delete from mails where id = $1');

/** Reads at most 1,000 mails: ids are UUIDs v7, so the first one is the oldest. */
export const unsentMails = firstRow<{ readonly unsent: number; readonly oldest: Date | null }>(
  'mails-unsent',
  `select count(*)::int as unsent, min(created_at) as oldest from (select created_at from mails order by id limit 1000) as first`,
);
