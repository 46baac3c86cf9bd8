import type { Environment } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

/** Who did what to which record, and how it was before and after. Never a hash of a password or of a key. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /**
   * `cli:<name>`, `seed`, `user:<id>`, `pairing:<id>` for a phone that has brought the right code, or `login` while
   * nobody has shown who they are.
   */
  readonly actor: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment: Environment | null;
  readonly before: object | null;
  readonly after: object | null;
  /** Why, where the person had to say it. */
  readonly reason?: string | null;
}

const INSERT = statement(
  'audit-insert',
  `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id, environment, before, after, reason)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

export async function insertAuditEntry(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { id, at, actor, action, subjectKind, subjectId, merchantId, environment, before, after, reason } = entry;
  await tx.execute(INSERT, [
    id,
    at,
    actor,
    action,
    subjectKind,
    subjectId,
    merchantId,
    environment,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    reason ?? null,
  ]);
}

export interface AuditLogFilter {
  readonly merchantId: string;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

// Each filter that can stand alone has an index in the order of the answer.
const CONDITIONS = {
  merchantId: 'merchant_id =',
  actor: 'actor =',
  action: 'action =',
  subjectKind: 'subject_kind =',
  subjectId: 'subject_id =',
  from: 'at >=',
  to: 'at <',
} as const satisfies Record<keyof AuditLogFilter, string>;

const COLUMNS = `id, at, actor, action, subject_kind as "subjectKind", subject_id as "subjectId", merchant_id as "merchantId",
  environment, before, after, reason`;

/** A merchant's entries that fit every filter, newest first, and how many there are in all. */
export async function pageOfAuditLog(
  db: Queryable,
  filter: AuditLogFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const given = Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof AuditLogFilter];
    return value === undefined ? [] : [{ condition, value }];
  });
  const where = given.map(({ condition }, index) => `${condition} $${index + 1}`).join(' and ');
  const values = given.map(({ value }) => value);
  const count = `select count(*)::integer as total from audit_log where ${where}`;
  const page = `select ${COLUMNS} from audit_log where ${where}
    order by at desc, id desc limit $${given.length + 1} offset $${given.length + 2}`;
  const [[counted], entries] = await Promise.all([
    db.query<{ total: number }>(count, values),
    db.query<AuditEntry>(page, [...values, limit, offset]),
  ]);
  return { entries, total: counted?.total ?? 0 };
}
