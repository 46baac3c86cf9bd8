import type { Role } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

/** A person at one of their merchants. */
export interface Member {
  /** Of the person. */
  readonly id: string;
  readonly merchantId: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** Of the membership: 1 at the beginning, one more with every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A merchant that a person may work for now. */
export interface OpenMembership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: Role;
}

const SELECT = `select u.id, p.merchant_id as "merchantId", u.email, u.name, p.role, p.is_active as "isActive", p.version,
    p.created_at as "createdAt", p.updated_at as "updatedAt"
  from memberships p join users u on u.id = p.user_id`;
const FIND = statement('member-find', `${SELECT} where p.user_id = $1 and p.merchant_id = $2 and u.deleted_at is null`);
const FIND_BY_EMAIL = statement(
  'member-find-by-email',
  `${SELECT} where u.email = $1 and p.merchant_id = $2 and u.deleted_at is null`,
);
const PAGE = statement(
  'members-page',
  `${SELECT} where p.merchant_id = $1 and u.deleted_at is null order by p.user_id desc limit $2 offset $3`,
);
const COUNT = statement(
  'members-count',
  `select count(*)::integer as total from memberships p join users u on u.id = p.user_id
    where p.merchant_id = $1 and u.deleted_at is null`,
);
const OTHER_OWNERS = statement(
  'members-other-owners',
  `select count(*)::integer as total from memberships p join users u on u.id = p.user_id
    where p.merchant_id = $1 and p.user_id <> $2 and p.role = 'OWNER' and p.is_active and u.deleted_at is null`,
);
const OPEN = statement(
  'memberships-open',
  `select p.merchant_id as "merchantId", m.name as "merchantName", p.role
     from memberships p join merchants m on m.id = p.merchant_id
    where p.user_id = $1 and p.is_active and m.is_active and m.deleted_at is null order by p.created_at, p.merchant_id`,
);
const INSERT = statement(
  'membership-insert',
  `insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
   values ($1, $2, $3, true, 1, $4, $4)`,
);
const CHANGE = statement(
  'membership-change',
  `update memberships set role = $3, is_active = $4, version = version + 1, updated_at = $5
    where user_id = $1 and merchant_id = $2`,
);

/** The row of the user must be locked where something is decided by this. */
export async function findMember(db: Queryable, userId: string, merchantId: string): Promise<Member | undefined> {
  return (await db.query<Member & object>(FIND, [userId, merchantId]))[0];
}

export async function findMemberByEmail(db: Queryable, email: string, merchantId: string): Promise<Member | undefined> {
  return (await db.query<Member & object>(FIND_BY_EMAIL, [email, merchantId]))[0];
}

/** A merchant's people, newest first, and how many there are in all. */
export async function pageOfMembers(
  db: Queryable,
  merchantId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ members: Member[]; total: number }> {
  const [members, [counted]] = await Promise.all([
    db.query<Member & object>(PAGE, [merchantId, limit, offset]),
    db.query<{ total: number }>(COUNT, [merchantId]),
  ]);
  return { members, total: counted?.total ?? 0 };
}

/** Active owners of a merchant beside this person. The row of the merchant must be locked. */
export async function countOtherOwners(tx: Transaction, merchantId: string, userId: string): Promise<number> {
  return (await tx.query<{ total: number }>(OTHER_OWNERS, [merchantId, userId]))[0]?.total ?? 0;
}

/** The oldest first. */
export function openMemberships(db: Queryable, userId: string): Promise<OpenMembership[]> {
  return db.query<OpenMembership & object>(OPEN, [userId]);
}

export async function insertMembership(
  tx: Transaction,
  { userId, merchantId, role, at }: { userId: string; merchantId: string; role: Role; at: Date },
): Promise<void> {
  await tx.execute(INSERT, [userId, merchantId, role, at]);
}

export async function changeMembership(
  tx: Transaction,
  { id, merchantId, role, isActive, updatedAt }: Member,
): Promise<void> {
  await tx.execute(CHANGE, [id, merchantId, role, isActive, updatedAt]);
}
