import type { Role } from '@pay/contracts';
import { count, firstRow, inTransaction, pageOfRows } from '@pay/persistence';

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

const COLUMNS = `u.id, p.merchant_id as "merchantId", u.email, u.name, p.role, p.is_active as "isActive", p.version,
    p.created_at as "createdAt", p.updated_at as "updatedAt"`;
const FROM = 'from memberships p join users u on u.id = p.user_id';

/** The row of the user must be locked where something is decided by this. */
export const findMember = firstRow<Member, [userId: string, merchantId: string]>(
  'member-find',
  `select ${COLUMNS} ${FROM} where p.user_id = $1 and p.merchant_id = $2 and u.deleted_at is null`,
);

export const findMemberByEmail = firstRow<Member, [email: string, merchantId: string]>(
  'member-find-by-email',
  `select ${COLUMNS} ${FROM} where u.email = $1 and p.merchant_id = $2 and u.deleted_at is null`,
);

/** A merchant's people, newest first. */
export const pageOfMembers = pageOfRows<Member, [merchantId: string]>('members', {
  columns: COLUMNS,
  from: `${FROM} where p.merchant_id = $1 and u.deleted_at is null`,
  order: 'p.user_id desc',
});

/** Active owners of a merchant beside this person. The row of the merchant must be locked. */
export const countOtherOwners = count<[merchantId: string, userId: string]>(
  'members-other-owners',
  `select count(*)::integer as total ${FROM}
    where p.merchant_id = $1 and p.user_id <> $2 and p.role = 'OWNER' and p.is_active and u.deleted_at is null`,
);

export const insertMembership = inTransaction.command<[userId: string, merchantId: string, role: Role, at: Date]>(
  'membership-insert',
  `insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
   values ($1, $2, $3, true, 1, $4, $4)`,
);

export const changeMembership = inTransaction.command(
  'membership-change',
  `update memberships set role = $3, is_active = $4, version = version + 1, updated_at = $5
    where user_id = $1 and merchant_id = $2`,
  ({ id, merchantId, role, isActive, updatedAt }: Member) => [id, merchantId, role, isActive, updatedAt],
);
