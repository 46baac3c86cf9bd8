table rate_limit_leases (
  subject text not null,
  refill double precision not null,
  burst double precision not null,
  used double precision not null,
  at timestamp with time zone not null,
  demands jsonb not null,
  keep_until timestamp with time zone not null,
  constraint rate_limit_leases_pkey PRIMARY KEY (subject)
) with (fillfactor=50);
CREATE INDEX rate_limit_leases_by_end ON rate_limit_leases USING btree (keep_until);

-- migration 20261127190200-create-rate-limit-leases-1795806120000 b618815ad6e2345337df6bf0d051c53388acbe3bc7e1c461ef13a52c1d7a1949
-- migration 20261127190400-gather-few-statistics-1795806240000 cd74e0ebbaa4b4efaa10ef3ef938a902964361da0649736951c8c312b81c0760
