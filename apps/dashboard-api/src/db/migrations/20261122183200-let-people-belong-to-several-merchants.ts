import type { Migration } from '@pay/persistence';

export const letPeopleBelongToSeveralMerchants: Migration = {
  name: '20261122183200-let-people-belong-to-several-merchants',
  sql: `
create table memberships (
  user_id uuid not null references users (id),
  merchant_id uuid not null references merchants (id),
  role text not null check (role in ('OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER')),
  is_active boolean not null,
  version integer not null check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, merchant_id)
);
create index memberships_by_merchant on memberships (merchant_id, user_id);
insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
  select id, merchant_id, role, is_active, version, created_at, updated_at from users where deleted_at is null;

-- merchant_id, role and is_active of users are those of the first merchant of a person. The version of the service before this one knows
-- no others, so the two are kept the same from either side; whoever changes a membership locks the user first.
create function keep_first_membership() returns trigger language plpgsql as $$
begin
  insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
  values (new.id, new.merchant_id, new.role, new.is_active, 1, new.created_at, new.updated_at)
  on conflict (user_id, merchant_id) do update
    set role = excluded.role, is_active = excluded.is_active, version = memberships.version + 1, updated_at = excluded.updated_at
    where (memberships.role, memberships.is_active) is distinct from (excluded.role, excluded.is_active);
  return null;
end;
$$;
create trigger users_keep_first_membership after insert or update of role, is_active on users
  for each row execute function keep_first_membership();

create function keep_user_of_first_membership() returns trigger language plpgsql as $$
begin
  update users set role = new.role, is_active = new.is_active, version = version + 1, updated_at = new.updated_at
   where id = new.user_id and merchant_id = new.merchant_id and (role, is_active) is distinct from (new.role, new.is_active);
  return null;
end;
$$;
create trigger memberships_keep_user after update of role, is_active on memberships
  for each row execute function keep_user_of_first_membership();

-- Null: the first merchant of the person.
alter table sessions add column merchant_id uuid references merchants (id);
`,
};
