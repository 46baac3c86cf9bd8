import type { Role } from '@pay/contracts';
import { rows } from '@pay/persistence';

export interface OpenMembership {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly role: Role;
}

/** Oldest first. */
export const openMemberships = rows<OpenMembership, [userId: string]>(
  'memberships-open',
  `select p.merchant_id as "merchantId", m.name as "merchantName", p.role
     from memberships p join merchants m on m.id = p.merchant_id
    where p.user_id = $1 and p.is_active and m.is_active and m.deleted_at is null order by p.created_at, p.merchant_id`,
);
