import type { NoticeKind } from '@pay/contracts';
import {
  daysBefore,
  oldRowsInOrder,
  statement,
  type OldRows,
  type Queryable,
  type Transaction,
} from '@pay/persistence';

/** Something that a person, or those who manage a merchant, should see, although nobody of them has asked. */
export interface Notice {
  readonly id: string;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** A notice that this version can describe. */
export interface NewNotice extends Notice {
  readonly kind: NoticeKind;
}

export type NoticeReceiver = { readonly userId: string } | { readonly merchantId: string };

const KEPT_DAYS = 30;
const MOST_SHOWN = 20;

const INSERT = statement(
  'notice-insert',
  'insert into notices (id, user_id, merchant_id, kind, details, created_at) values ($1, $2, $3, $4, $5, $6)',
);
const INSERT_UNLESS_RECENT = statement(
  'notice-insert-unless-recent',
  `insert into notices (id, user_id, kind, details, created_at) select $1, $2, $3, $4, $5
    where not exists (select from notices where user_id = $2 and kind = $3 and created_at > $6)`,
);
const INSERT_OF_DAY = statement(
  'notice-insert-of-day',
  `insert into notices (id, merchant_id, kind, details, created_at) select $1, $2, $3, $4::jsonb, $5
    where not exists (select from notices where merchant_id = $2 and kind = $3 and details = $4::jsonb and created_at > $6)`,
);
const COLUMNS = 'id, kind, details, created_at as "createdAt"';
const LIST = statement(
  'notices-list',
  `(select ${COLUMNS} from notices where user_id = $1 and created_at > $3 order by created_at desc limit $4)
   union all
   (select ${COLUMNS} from notices where merchant_id = $2 and created_at > $3 order by created_at desc limit $4)
   order by "createdAt" desc, id desc limit $4`,
);

export async function insertNotice(tx: Transaction, receiver: NoticeReceiver, notice: NewNotice): Promise<void> {
  const userId = 'userId' in receiver ? receiver.userId : null;
  const merchantId = 'merchantId' in receiver ? receiver.merchantId : null;
  const { id, kind, details, createdAt } = notice;
  await tx.execute(INSERT, [id, userId, merchantId, kind, JSON.stringify(details), createdAt]);
}

/** Unless the merchant has had the very same within a day. */
export async function insertMerchantNoticeOfDay(
  tx: Transaction,
  merchantId: string,
  { id, kind, details, createdAt }: NewNotice,
): Promise<void> {
  const since = new Date(createdAt.getTime() - 24 * 3_600_000);
  await tx.execute(INSERT_OF_DAY, [id, merchantId, kind, JSON.stringify(details), createdAt, since]);
}

/** False where the person has had one of this kind since then: the row of the person must be locked. */
export async function insertNoticeUnlessRecent(
  tx: Transaction,
  userId: string,
  { id, kind, details, createdAt }: NewNotice,
  since: Date,
): Promise<boolean> {
  const values = [id, userId, kind, JSON.stringify(details), createdAt, since];
  return (await tx.execute(INSERT_UNLESS_RECENT, values)) === 1;
}

/** Those of a person, and of a merchant where one is given; of the last thirty days, newest first. */
export function recentNotices(
  db: Queryable,
  { userId, merchantId, now }: { userId: string; merchantId: string | null; now: Date },
): Promise<Notice[]> {
  return db.query<Notice & object>(LIST, [userId, merchantId, daysBefore(now, KEPT_DAYS), MOST_SHOWN]);
}

export function oldNotices(now: Date): OldRows {
  const before = daysBefore(now, KEPT_DAYS);
  return oldRowsInOrder({ table: 'notices', order: 'created_at', orderType: 'timestamptz', before });
}
