import type { Migration } from '@pay/persistence';

export const rateLimitMigrations: Migration[] = [
  {
    name: '20261127190200-create-rate-limit-leases',
    replaces: '20261121140000-create-rate-limit-leases',
    sql: `
-- Unlogged: written every second and useless after a crash. It contains only subjects that come near their limit.
create unlogged table rate_limit_leases (
  subject text primary key,
  refill double precision not null,
  burst double precision not null,
  -- What all replicas together have taken out of the bucket, as of the time beside it.
  used double precision not null,
  at timestamptz not null,
  -- By replica: requests per second, and the time of its report.
  demands jsonb not null,
  -- In whole hours, so that the index changes once an hour and not with every update.
  keep_until timestamptz not null
) with (fillfactor = 50);
create index rate_limit_leases_by_end on rate_limit_leases (keep_until);
`,
  },
];
