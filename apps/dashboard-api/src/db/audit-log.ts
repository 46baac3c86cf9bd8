import type { Environment } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';

/** Who did what to which record, and how it was before and after. Never a hash of a password or of a key. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  /** `cli:<name>`, `seed`, or `user:<id>`. */
  readonly actor: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment: Environment | null;
  readonly before: object | null;
  readonly after: object | null;
}

const INSERT = statement(
  'audit-insert',
  `insert into audit_log (id, at, actor, action, subject_kind, subject_id, merchant_id, environment, before, after)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

export async function insertAuditEntry(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { id, at, actor, action, subjectKind, subjectId, merchantId, environment, before, after } = entry;
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
  ]);
}
