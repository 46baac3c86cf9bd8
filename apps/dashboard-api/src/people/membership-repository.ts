import type { Role } from '@pay/contracts';
import { count, firstRow, inTransaction, pageOfRows } from '@pay/persistence';

export interface Member {
  /** Id of the person. */
  readonly id: string;
  readonly merchantId: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isActive: boolean;
  /** Version of the membership: 1 at creation, incremented by every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `u.id, p.merchant_id as "merchantId", u.email, u.name, p.role, p.is_active as "isActive", p.version,
    p.created_at as "createdAt", p.updated_at as "updatedAt"`;
const FROM = 'from memberships p join users u on u.id = p.user_id';

/** Lock the user if a decision depends on this. */
export const findMember = firstRow<Member, [userId: string, merchantId: string]>(
  'member-find',
  `select ${COLUMNS} ${FROM} where p.user_id = $1 and p.merchant_id = $2 and u.deleted_at is null`,
);

export const findMemberByEmail = firstRow<Member, [email: string, merchantId: string]>(
  'member-find-by-email',
  `select ${COLUMNS} ${FROM} where u.email = $1 and p.merchant_id = $2 and u.deleted_at is null`,
);

/** Newest first. */
export const pageOfMembers = pageOfRows<Member, [merchantId: string]>('members', {
  columns: COLUMNS,
  from: `${FROM} where p.merchant_id = $1 and u.deleted_at is null`,
  order: 'p.user_id desc',
});

/** Counts active owners besides this person. The merchant must be locked. */
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
