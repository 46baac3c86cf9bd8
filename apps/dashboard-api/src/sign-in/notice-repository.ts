import type { NoticeKind } from '@pay/contracts';
import { daysBefore, inTransaction, oldRowsInOrder, rows, type OldRows } from '@pay/persistence';

export interface Notice {
  readonly id: string;
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface NewNotice extends Notice {
  readonly kind: NoticeKind;
}

const KEPT_DAYS = 30;
const MOST_SHOWN = 20;

const COLUMNS = 'id, kind, details, created_at as "createdAt"';

export const insertNotice = inTransaction.command(
  'notice-insert',
  'insert into notices (id, merchant_id, kind, details, created_at) values ($1, $2, $3, $4, $5)',
  (merchantId: string, { id, kind, details, createdAt }: NewNotice) => [
    ...[id, merchantId, kind, JSON.stringify(details), createdAt],
  ],
);

/** Has no effect if the merchant got an identical notice within a day. */
export const insertMerchantNoticeOfDay = inTransaction.command(
  'notice-insert-of-day',
  `insert into notices (id, merchant_id, kind, details, created_at) select $1, $2, $3, $4::jsonb, $5
    where not exists (select from notices where merchant_id = $2 and kind = $3 and details = $4::jsonb and created_at > $6)`,
  (merchantId: string, { id, kind, details, createdAt }: NewNotice) => [
    ...[id, merchantId, kind, JSON.stringify(details), createdAt, daysBefore(createdAt, 1)],
  ],
);

/** Returns 0 if the person got a notice of this kind since then. The person must be locked. */
export const insertNoticeUnlessRecent = inTransaction.command(
  'notice-insert-unless-recent',
  `insert into notices (id, user_id, kind, details, created_at) select $1, $2, $3, $4, $5
    where not exists (select from notices where user_id = $2 and kind = $3 and created_at > $6)`,
  (userId: string, { id, kind, details, createdAt }: NewNotice, since: Date) => [
    ...[id, userId, kind, JSON.stringify(details), createdAt, since],
  ],
);

/** Notices of the last thirty days, newest first: of the person, and of the merchant if one is given. */
export const recentNotices = rows<Notice, [of: { userId: string; merchantId: string | null; now: Date }]>(
  'notices-list',
  `(select ${COLUMNS} from notices where user_id = $1 and created_at > $3 order by created_at desc limit $4)
   union all
   (select ${COLUMNS} from notices where merchant_id = $2 and created_at > $3 order by created_at desc limit $4)
   order by "createdAt" desc, id desc limit $4`,
  ({ userId, merchantId, now }) => [userId, merchantId, daysBefore(now, KEPT_DAYS), MOST_SHOWN],
);

export function oldNotices(now: Date): OldRows {
  const before = daysBefore(now, KEPT_DAYS);
  return oldRowsInOrder({ table: 'notices', order: 'created_at', orderType: 'timestamptz', before });
}
