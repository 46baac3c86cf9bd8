import type { Role } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface Invitation {
  readonly id: string;
  readonly merchantId: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

const COLUMNS = `id, merchant_id as "merchantId", email, name, role, expires_at as "expiresAt", accepted_at as "acceptedAt",
  revoked_at as "revokedAt", created_by as "createdBy", created_at as "createdAt"`;

const INSERT = statement(
  'invitation-insert',
  `insert into invitations (id, merchant_id, email, name, role, token_hash, expires_at, created_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const LOCK = statement(
  'invitation-lock',
  `select ${COLUMNS} from invitations where id = $1 and merchant_id = $2 for update`,
);
const LOCK_BY_TOKEN = statement(
  'invitation-lock-by-token',
  `select ${COLUMNS} from invitations where token_hash = $1 for update`,
);
const ACCEPT = statement('invitation-accept', 'update invitations set accepted_at = $2 where id = $1');
const REVOKE = statement('invitation-revoke', 'update invitations set revoked_at = $2 where id = $1');
const IS_OPEN = statement(
  'invitation-is-open',
  `select from invitations
    where merchant_id = $1 and email = $2 and accepted_at is null and revoked_at is null and expires_at > $3`,
);
const COUNT_SINCE = statement(
  'invitations-count-since',
  'select count(*)::integer as total from invitations where merchant_id = $1 and created_at > $2',
);
const PAGE = statement(
  'invitations-page',
  `select ${COLUMNS} from invitations where merchant_id = $1 order by id desc limit $2 offset $3`,
);
const COUNT = statement(
  'invitations-count',
  'select count(*)::integer as total from invitations where merchant_id = $1',
);

export async function insertInvitation(tx: Transaction, invitation: Invitation, tokenHash: string): Promise<void> {
  const { id, merchantId, email, name, role, expiresAt, createdBy, createdAt } = invitation;
  await tx.execute(INSERT, [id, merchantId, email, name, role, tokenHash, expiresAt, createdBy, createdAt]);
}

export async function lockInvitation(tx: Transaction, id: string, merchantId: string): Promise<Invitation | undefined> {
  return (await tx.query<Invitation>(LOCK, [id, merchantId]))[0];
}

export async function lockInvitationByToken(tx: Transaction, tokenHash: string): Promise<Invitation | undefined> {
  return (await tx.query<Invitation>(LOCK_BY_TOKEN, [tokenHash]))[0];
}

export async function acceptStoredInvitation(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.execute(ACCEPT, [id, at]);
}

export async function revokeStoredInvitation(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.execute(REVOKE, [id, at]);
}

export async function hasOpenInvitation(
  tx: Transaction,
  merchantId: string,
  email: string,
  now: Date,
): Promise<boolean> {
  return (await tx.query(IS_OPEN, [merchantId, email, now])).length > 0;
}

/** Those that were revoked since count too. */
export async function countInvitationsSince(tx: Transaction, merchantId: string, since: Date): Promise<number> {
  return (await tx.query<{ total: number }>(COUNT_SINCE, [merchantId, since]))[0]?.total ?? 0;
}

/** A merchant's invitations, newest first, and how many there are in all. */
export async function pageOfInvitations(
  db: Queryable,
  merchantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ invitations: Invitation[]; total: number }> {
  const [invitations, [counted]] = await Promise.all([
    db.query<Invitation>(PAGE, [merchantId, limit, offset]),
    db.query<{ total: number }>(COUNT, [merchantId]),
  ]);
  return { invitations, total: counted?.total ?? 0 };
}
